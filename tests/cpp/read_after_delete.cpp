// verdict: unsafe
// A pointer is read behind `delete` of its copy.
extern "C" {
[[noreturn]] void reach_error();
int __VERIFIER_nondet_int();
bool __VERIFIER_nondet_bool();
unsigned __VERIFIER_nondet_uint();
}
int main() {
    int *p = new int(__VERIFIER_nondet_int());
    int *q = p;
    if (*p > 3)
        delete p;
    if (*q > 4)
        return 1;
    return 0;
}
