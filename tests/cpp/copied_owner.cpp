// verdict: unsafe
// A copy of an owner deletes the same object again.
extern "C" {
[[noreturn]] void reach_error();
int __VERIFIER_nondet_int();
bool __VERIFIER_nondet_bool();
unsigned __VERIFIER_nondet_uint();
}
struct Buf {
    int *p;
    Buf(int x) : p(new int(x)) {}
    ~Buf() { delete p; }
};
int main() {
    Buf a(1);
    if (__VERIFIER_nondet_bool()) {
        Buf b = a;
        if (*b.p != 1)
            return 1;
    }
}
