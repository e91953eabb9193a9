// A stack that throws when it is empty; the caller forgets one case.
struct Empty {};

extern "C" bool __VERIFIER_nondet_bool();

struct Stack {
    int values[4];
    unsigned size = 0;

    int pop() {
        if (size == 0)
            throw Empty();
        return values[--size];
    }
};

int main() {
    Stack stack;
    while (__VERIFIER_nondet_bool() && stack.size < 4)
        stack.values[stack.size++] = 1;
    return stack.pop();
}
