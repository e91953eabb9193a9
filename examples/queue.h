/* How full a queue is. */
#define CAPACITY 8u

int queue_put(void);           /* 1 if there was room */
int queue_get(void);           /* 1 if there was something */
unsigned queue_length(void);
