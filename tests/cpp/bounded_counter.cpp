// verdict: safe
// A class keeps its bound; the loop has none.
extern "C" {
    void reach_error();
    bool __VERIFIER_nondet_bool();
    int __VERIFIER_nondet_int();
    unsigned __VERIFIER_nondet_uint();
}
class Counter {
    unsigned value = 0;
public:
    void up() {
        if (value < 10)
            value++;
    }
    void down() {
        if (value > 0)
            value--;
    }
    unsigned get() const { return value; }
};
int main() {
    Counter c;
    while (__VERIFIER_nondet_bool()) {
        if (__VERIFIER_nondet_bool())
            c.up();
        else
            c.down();
        if (c.get() > 10)
            reach_error();
    }
}
