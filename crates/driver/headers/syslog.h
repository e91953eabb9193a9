/* <syslog.h> of Uforia: declarations only, correct for ILP32 and LP64. */
#ifndef _UFORIA_SYSLOG_H
#define _UFORIA_SYSLOG_H
#define LOG_ERR 3
#define LOG_WARNING 4
#define LOG_INFO 6
#define LOG_DEBUG 7
extern void openlog(const char *name, int option, int facility);
extern void syslog(int priority, const char *format, ...);
extern void closelog(void);
#endif
