// verdict: unsafe
// Globals are set up in the order of the file.
extern "C" {
    void reach_error();
    bool __VERIFIER_nondet_bool();
    int __VERIFIER_nondet_int();
    unsigned __VERIFIER_nondet_uint();
}
extern int second;
int first = second + 1;
int get() { return 41; }
int second = get();
int main() {
    if (first == 1)
        reach_error();
}
