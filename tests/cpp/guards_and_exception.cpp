// verdict: unsafe
// Guards are closed before the handler runs.
extern "C" {
[[noreturn]] void reach_error();
int __VERIFIER_nondet_int();
bool __VERIFIER_nondet_bool();
unsigned __VERIFIER_nondet_uint();
}
int open = 0;
struct G {
    G() { open++; }
    ~G() { open--; }
};
int f(int x) {
    G g;
    if (x == 5)
        throw 1;
    return x;
}
int main() {
    try {
        G g;
        f(__VERIFIER_nondet_int());
    } catch (int) {
        if (open == 0)
            reach_error();
    }
}
