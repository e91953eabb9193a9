// verdict: unsafe
// Five steps lead to the end.
extern "C" {
    void reach_error();
    bool __VERIFIER_nondet_bool();
    int __VERIFIER_nondet_int();
    unsigned __VERIFIER_nondet_uint();
}
enum class State { Start, A, B, C, End };
static State step(State s, bool go) {
    if (!go)
        return s;
    switch (s) {
    case State::Start: return State::A;
    case State::A: return State::B;
    case State::B: return State::C;
    case State::C: return State::End;
    default: return s;
    }
}
int main() {
    State s = State::Start;
    for (int i = 0; i < 5; i++)
        s = step(s, __VERIFIER_nondet_bool());
    if (s == State::End)
        reach_error();
}
