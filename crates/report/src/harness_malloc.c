QUIET static int harness_is_full(void)
{
    static harness_size next;
    return next < sizeof harness_fails && harness_fails[next++];
}
extern void *__real_malloc(harness_size size);
extern void *__real_calloc(harness_size count, harness_size size);
extern void *__real_realloc(void *old, harness_size size);
QUIET void *__wrap_malloc(harness_size size) { return harness_is_full() ? 0 : __real_malloc(size); }
QUIET void *__wrap_calloc(harness_size count, harness_size size)
{
    return harness_is_full() ? 0 : __real_calloc(count, size);
}
QUIET void *__wrap_realloc(void *old, harness_size size) { return harness_is_full() ? 0 : __real_realloc(old, size); }
