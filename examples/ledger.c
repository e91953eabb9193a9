/* A ledger with a limit: deposits and withdrawals, and what the programmer believes about them.
 *
 * Each belief is an assertion with a verdict of its own:
 *   uforia check --assertions each examples/ledger.c
 */
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned balance = 0, deposits = 0, withdrawals = 0;
    while (deposits < 1000) {
        if (__VERIFIER_nondet_uint()) {
            balance += 10;
            deposits++;
        } else if (balance >= 10) {
            balance -= 10;
            withdrawals++;
        }
        assert(balance == 10 * (deposits - withdrawals));
        assert(deposits <= 1000);
        assert(withdrawals != 3);
    }
    return 0;
}
