/* <sys/stat.h> of Uforia: declarations only, correct for ILP32 and LP64. */
#ifndef _UFORIA_SYS_STAT_H
#define _UFORIA_SYS_STAT_H
#include <sys/types.h>
#include <bits/timespec.h>
struct stat {
    dev_t st_dev;
#if __SIZEOF_POINTER__ == 8
    ino_t st_ino;
    nlink_t st_nlink;
    mode_t st_mode;
    uid_t st_uid;
    gid_t st_gid;
    int __pad0;
    dev_t st_rdev;
#else
    unsigned short int __pad1;
    ino_t st_ino;
    mode_t st_mode;
    nlink_t st_nlink;
    uid_t st_uid;
    gid_t st_gid;
    dev_t st_rdev;
    unsigned short int __pad2;
#endif
    off_t st_size;
    blksize_t st_blksize;
    blkcnt_t st_blocks;
    struct timespec st_atim;
    struct timespec st_mtim;
    struct timespec st_ctim;
#if __SIZEOF_POINTER__ == 8
    long int __reserved[3];
#else
    unsigned long int __reserved[2];
#endif
};
#define S_IFMT 0170000
#define S_IFDIR 0040000
#define S_IFREG 0100000
#define S_ISDIR(mode) (((mode) & S_IFMT) == S_IFDIR)
#define S_ISREG(mode) (((mode) & S_IFMT) == S_IFREG)
#define S_IRUSR 0400
#define S_IWUSR 0200
#define S_IXUSR 0100
extern int stat(const char *name, struct stat *result);
extern int fstat(int descriptor, struct stat *result);
extern int lstat(const char *name, struct stat *result);
extern int mkdir(const char *name, mode_t mode);
extern int chmod(const char *name, mode_t mode);
extern mode_t umask(mode_t mask);
#endif
