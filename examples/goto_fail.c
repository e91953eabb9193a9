// The "goto fail" bug in miniature.
//
// In 2014 one duplicated line in an SSL library made it accept every signature: the second
// `goto fail` below belongs to no `if`, so the last check is never made, and `err` is still zero
// when the function returns. Uforia is asked whether a forged signature can be accepted.
//
//     uforia run --random 100 examples/goto_fail.c     finds an input that shows the bug

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

// What the three steps of the handshake would compute; each returns zero when it is content.
static int hash_update(int digest, int data) { return data < 0 ? -1 : digest == data ? 1 : 0; }
static int verify_signature(int signature, int key) { return signature == key ? 0 : -9809; }

static int verify_key_exchange(int client, int server, int signature, int key) {
    int err;

    if ((err = hash_update(1, client)) != 0)
        goto fail;
    if ((err = hash_update(2, server)) != 0)
        goto fail;
        goto fail; // The duplicated line.
    err = verify_signature(signature, key);

fail:
    return err;
}

int main(void) {
    int client = __VERIFIER_nondet_int();
    int server = __VERIFIER_nondet_int();
    int signature = __VERIFIER_nondet_int();
    int key = __VERIFIER_nondet_int();

    int accepted = verify_key_exchange(client, server, signature, key) == 0;
    if (accepted && signature != key)
        reach_error(); // A forged signature was accepted.
    return 0;
}
