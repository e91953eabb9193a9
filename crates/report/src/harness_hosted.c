
/* With the C library, which has all other functions. */

/* Runs when main returns. */
__attribute__((destructor)) QUIET static void harness_ends(void)
{
    harness_missed("harness: the program ended; the error was not reached\n");
}

#ifdef HARNESS_TRAPS
/* Traps of wrong arithmetic: SIGILL, SIGTRAP, SIGFPE. */
extern void (*signal(int number, void (*handler)(int)))(int);
QUIET static void harness_trapped(int number) { harness_reached(); }
__attribute__((constructor)) QUIET static void harness_begins(void)
{
    signal(4, harness_trapped);
    signal(5, harness_trapped);
    signal(8, harness_trapped);
}
#endif

/* For invalid accesses: the address sanitizer ends the program with the exit code of an error that was reached. */
#define HARNESS_TEXT(number) #number
#define HARNESS_NUMBER(number) HARNESS_TEXT(number)
#ifdef HARNESS_LOST
#define HARNESS_DETECT_LEAKS ":detect_leaks=1:leak_check_at_exit=0:"
#else
#define HARNESS_DETECT_LEAKS ":detect_leaks=0:"
#endif
QUIET const char *__asan_default_options(void)
{
    return "exitcode=" HARNESS_NUMBER(HARNESS_REACHED) HARNESS_DETECT_LEAKS "detect_stack_use_after_return=1:handle_segv=1:handle_sigbus=1";
}
