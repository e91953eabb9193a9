// verdict: safe
// proof: not yet
// A template of a bounded stack.
extern "C" {
    void reach_error();
    bool __VERIFIER_nondet_bool();
    int __VERIFIER_nondet_int();
    unsigned __VERIFIER_nondet_uint();
}
template <class T, unsigned N> class Stack {
    T data[N] = {};
    unsigned n = 0;
public:
    bool push(T x) {
        if (n == N)
            return false;
        data[n++] = x;
        return true;
    }
    bool pop() {
        if (n == 0)
            return false;
        n--;
        return true;
    }
    unsigned size() const { return n; }
};
int main() {
    Stack<int, 4> s;
    while (__VERIFIER_nondet_bool()) {
        if (__VERIFIER_nondet_bool())
            s.push(__VERIFIER_nondet_int());
        else
            s.pop();
        if (s.size() > 4)
            reach_error();
    }
}
