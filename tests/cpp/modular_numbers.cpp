// verdict: safe
// Operators keep numbers below the modulus.
extern "C" {
    void reach_error();
    bool __VERIFIER_nondet_bool();
    int __VERIFIER_nondet_int();
    unsigned __VERIFIER_nondet_uint();
}
struct Mod {
    unsigned value;
};
static Mod operator+(Mod a, Mod b) { return Mod{(a.value + b.value) % 97}; }
int main() {
    Mod m{1};
    while (__VERIFIER_nondet_bool()) {
        m = m + Mod{__VERIFIER_nondet_uint() % 97};
        if (m.value >= 97)
            reach_error();
    }
}
