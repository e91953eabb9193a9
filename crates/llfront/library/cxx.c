/* Functions that exist only in the compiled standard library of C++ (libstdc++), by their linkage names: exceptions of the library, links of lists,
   trees of maps. Only what observers of the C++ standard can see is modelled: a tree is not balanced, and the text of an exception is a copy. */

typedef unsigned long word;
void *malloc(word size);
void free(void *block);
void *__cxa_allocate_exception(word size);
void __cxa_throw(void *object, void *type, void (*destructor)(void *)) __attribute__((noreturn));

/* An exception with a text: `std::logic_error`, `std::runtime_error` and what derives from them. */
struct text_given {
    void **methods;
    char *text;
};
struct string {
    const char *text;
    word length;
};

static char *__uforia_cxx_copied(const char *text) {
    word length = 0;
    while (text[length])
        length++;
    char *copy = malloc(length + 1);
    for (word at = 0; at <= length; at++)
        copy[at] = text[at];
    return copy;
}

/* A class without a text: its destructors, `what`, and the table of its methods. */
#define SILENT(NAME, METHOD, TEXT)                                                                                                     \
    extern void *_ZTI##NAME;                                                                                                           \
    void _ZN##NAME##D2Ev(void *self) { (void)self; }                                                                                   \
    void _ZN##NAME##D1Ev(void *self) { (void)self; }                                                                                   \
    void _ZN##NAME##D0Ev(void *self) { free(self); }                                                                                   \
    const char *METHOD(void *self) {                                                                                                   \
        (void)self;                                                                                                                    \
        return TEXT;                                                                                                                   \
    }                                                                                                                                  \
    void *_ZTV##NAME[5] = {0, &_ZTI##NAME, (void *)_ZN##NAME##D1Ev, (void *)_ZN##NAME##D0Ev, (void *)METHOD};

/* A class with a text. The linkage names of members of `std::C` begin with `_ZNSt`, without an `S` of their own. */
#define TELLING(NAME, METHOD)                                                                                                          \
    extern void *_ZTI##NAME;                                                                                                           \
    extern void *_ZTV##NAME[5];                                                                                                        \
    void _ZN##NAME##C2EPKc(struct text_given *self, const char *text) {                                                                      \
        self->methods = &_ZTV##NAME[2];                                                                                                \
        self->text = __uforia_cxx_copied(text);                                                                                                     \
    }                                                                                                                                  \
    void _ZN##NAME##C1EPKc(struct text_given *self, const char *text) { _ZN##NAME##C2EPKc(self, text); }                                     \
    void _ZN##NAME##C2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(struct text_given *self, struct string *text) {                \
        _ZN##NAME##C2EPKc(self, text->text);                                                                                           \
    }                                                                                                                                  \
    void _ZN##NAME##C1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(struct text_given *self, struct string *text) {                \
        _ZN##NAME##C2EPKc(self, text->text);                                                                                           \
    }                                                                                                                                  \
    void _ZN##NAME##C2ERKS_(struct text_given *self, struct text_given *other) {                                                                   \
        self->methods = &_ZTV##NAME[2];                                                                                                \
        self->text = __uforia_cxx_copied(other->text);                                                                                              \
    }                                                                                                                                  \
    void _ZN##NAME##C1ERKS_(struct text_given *self, struct text_given *other) { _ZN##NAME##C2ERKS_(self, other); }                                \
    void _ZN##NAME##D2Ev(struct text_given *self) { free(self->text); }                                                                      \
    void _ZN##NAME##D1Ev(struct text_given *self) { free(self->text); }                                                                      \
    void _ZN##NAME##D0Ev(struct text_given *self) {                                                                                          \
        free(self->text);                                                                                                              \
        free(self);                                                                                                                    \
    }                                                                                                                                  \
    void *_ZTV##NAME[5] = {0, &_ZTI##NAME, (void *)_ZN##NAME##D1Ev, (void *)_ZN##NAME##D0Ev, (void *)METHOD};

SILENT(St9exception, _ZNKSt9exception4whatEv, "std::exception")
SILENT(St9bad_alloc, _ZNKSt9bad_alloc4whatEv, "std::bad_alloc")
SILENT(St20bad_array_new_length, _ZNKSt20bad_array_new_length4whatEv, "std::bad_array_new_length")
SILENT(St8bad_cast, _ZNKSt8bad_cast4whatEv, "std::bad_cast")
SILENT(St10bad_typeid, _ZNKSt10bad_typeid4whatEv, "std::bad_typeid")
SILENT(St17bad_function_call, _ZNKSt17bad_function_call4whatEv, "bad_function_call")
SILENT(St12bad_weak_ptr, _ZNKSt12bad_weak_ptr4whatEv, "bad_weak_ptr")

const char *_ZNKSt11logic_error4whatEv(struct text_given *self) { return self->text; }
const char *_ZNKSt13runtime_error4whatEv(struct text_given *self) { return self->text; }
TELLING(St11logic_error, _ZNKSt11logic_error4whatEv)
TELLING(St12domain_error, _ZNKSt11logic_error4whatEv)
TELLING(St16invalid_argument, _ZNKSt11logic_error4whatEv)
TELLING(St12length_error, _ZNKSt11logic_error4whatEv)
TELLING(St12out_of_range, _ZNKSt11logic_error4whatEv)
TELLING(St13runtime_error, _ZNKSt13runtime_error4whatEv)
TELLING(St11range_error, _ZNKSt13runtime_error4whatEv)
TELLING(St14overflow_error, _ZNKSt13runtime_error4whatEv)
TELLING(St15underflow_error, _ZNKSt13runtime_error4whatEv)

#define THROWS_SILENT(FUNCTION, NAME)                                                                                                  \
    void FUNCTION(void) {                                                                                                              \
        void **thrown = __cxa_allocate_exception(8);                                                                                   \
        *thrown = &_ZTV##NAME[2];                                                                                                      \
        __cxa_throw(thrown, &_ZTI##NAME, _ZN##NAME##D1Ev);                                                                             \
    }
#define THROWS(FUNCTION, NAME)                                                                                                         \
    void FUNCTION(const char *text) {                                                                                                  \
        struct text_given *thrown = __cxa_allocate_exception(16);                                                                            \
        _ZN##NAME##C2EPKc(thrown, text);                                                                                               \
        __cxa_throw(thrown, &_ZTI##NAME, (void (*)(void *))_ZN##NAME##D1Ev);                                                           \
    }

THROWS_SILENT(_ZSt17__throw_bad_allocv, St9bad_alloc)
THROWS_SILENT(_ZSt28__throw_bad_array_new_lengthv, St20bad_array_new_length)
THROWS_SILENT(_ZSt16__throw_bad_castv, St8bad_cast)
THROWS_SILENT(__cxa_bad_cast, St8bad_cast)
THROWS_SILENT(__cxa_bad_typeid, St10bad_typeid)
THROWS_SILENT(_ZSt25__throw_bad_function_callv, St17bad_function_call)
THROWS(_ZSt19__throw_logic_errorPKc, St11logic_error)
THROWS(_ZSt20__throw_domain_errorPKc, St12domain_error)
THROWS(_ZSt24__throw_invalid_argumentPKc, St16invalid_argument)
THROWS(_ZSt20__throw_length_errorPKc, St12length_error)
THROWS(_ZSt20__throw_out_of_rangePKc, St12out_of_range)
THROWS(_ZSt21__throw_runtime_errorPKc, St13runtime_error)
THROWS(_ZSt19__throw_range_errorPKc, St11range_error)
THROWS(_ZSt22__throw_overflow_errorPKc, St14overflow_error)
THROWS(_ZSt23__throw_underflow_errorPKc, St15underflow_error)
/* The text with numbers in it is not modelled: it is the format. */
void _ZSt24__throw_out_of_range_fmtPKcz(const char *format, ...) { _ZSt20__throw_out_of_rangePKc(format); }

/* Lists: a ring of nodes. */
struct link {
    struct link *next, *previous;
};
void _ZNSt8__detail15_List_node_base7_M_hookEPS0_(struct link *self, struct link *behind) {
    self->next = behind;
    self->previous = behind->previous;
    behind->previous->next = self;
    behind->previous = self;
}
void _ZNSt8__detail15_List_node_base9_M_unhookEv(struct link *self) {
    self->next->previous = self->previous;
    self->previous->next = self->next;
}
void _ZNSt8__detail15_List_node_base4swapERS0_S1_(struct link *one, struct link *other) {
    struct link *first = one->next, *last = one->previous, *second = other->next, *end = other->previous;
    one->next = second == other ? one : second;
    one->previous = second == other ? one : end;
    one->next->previous = one->previous->next = one;
    other->next = first == one ? other : first;
    other->previous = first == one ? other : last;
    other->next->previous = other->previous->next = other;
}
void _ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_(struct link *self, struct link *first, struct link *last) {
    if (self == last)
        return;
    struct link *before_last = last->previous, *before_first = first->previous, *before_self = self->previous;
    before_last->next = self;
    self->previous = before_last;
    before_first->next = last;
    last->previous = before_first;
    before_self->next = first;
    first->previous = before_self;
}
void _ZNSt8__detail15_List_node_base10_M_reverseEv(struct link *self) {
    struct link *at = self;
    do {
        struct link *next = at->next;
        at->next = at->previous;
        at->previous = next;
        at = next;
    } while (at != self);
}

/* Trees: the header is red, all other nodes are black, and nothing is balanced. */
struct node {
    int colour;
    struct node *parent, *left, *right;
};
enum { RED, BLACK };
struct node *_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base(struct node *at) {
    if (at->right) {
        at = at->right;
        while (at->left)
            at = at->left;
        return at;
    }
    struct node *above = at->parent;
    while (at == above->right) {
        at = above;
        above = above->parent;
    }
    return at->right != above ? above : at;
}
struct node *_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base(struct node *at) {
    if (at->colour == RED && at->parent->parent == at)
        return at->right;
    if (at->left) {
        at = at->left;
        while (at->right)
            at = at->right;
        return at;
    }
    struct node *above = at->parent;
    while (at == above->left) {
        at = above;
        above = above->parent;
    }
    return above;
}
struct node *_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base(struct node *at) {
    return _ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base(at);
}
struct node *_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base(struct node *at) {
    return _ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base(at);
}
void _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(_Bool is_left, struct node *added, struct node *above,
                                                                       struct node *header) {
    added->parent = above;
    added->left = added->right = 0;
    added->colour = BLACK;
    if (is_left) {
        above->left = added;
        if (above == header) {
            header->parent = added;
            header->right = added;
        } else if (above == header->left)
            header->left = added;
    } else {
        above->right = added;
        if (above == header->right)
            header->right = added;
    }
}
static void __uforia_cxx_replace(struct node *old, struct node *new, struct node *header) {
    if (header->parent == old)
        header->parent = new;
    else if (old->parent->left == old)
        old->parent->left = new;
    else
        old->parent->right = new;
    if (new)
        new->parent = old->parent;
}
struct node *_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(struct node *gone, struct node *header) {
    struct node *before = header->left == gone ? _ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base(gone) : header->left;
    struct node *behind = header->right == gone ? _ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base(gone) : header->right;
    if (!gone->left)
        __uforia_cxx_replace(gone, gone->right, header);
    else if (!gone->right)
        __uforia_cxx_replace(gone, gone->left, header);
    else {
        struct node *next = gone->right;
        while (next->left)
            next = next->left;
        if (next != gone->right) {
            __uforia_cxx_replace(next, next->right, header);
            next->right = gone->right;
            next->right->parent = next;
        }
        __uforia_cxx_replace(gone, next, header);
        next->left = gone->left;
        next->left->parent = next;
    }
    header->left = header->parent ? before : header;
    header->right = header->parent ? behind : header;
    return gone;
}

/* Unordered containers: numbers of buckets, and hashes of bytes (MurmurHash64A, of A. Appleby), as libstdc++ has them. */
struct policy {
    union {
        float number;
        unsigned bits;
    } load;
    word limit;
};
struct decision {
    _Bool grows;
    word n_buckets;
};
static const unsigned __uforia_cxx_n_buckets[] = {
    1,   2,   2,   3,   5,   5,   7,   7,   11,  11,  11,  11,  13,  13,  17,   19,   23,   29,   31,   37,   41,   43,   47,   53,   59,
    61,  67,  71,  73,  79,  83,  89,  97,  103, 109, 113, 127, 137, 139, 149,  157,  167,  179,  193,  199,  211,  227,  241,  257,  277,
    293, 313, 337, 359, 383, 409, 439, 467, 503, 541, 577, 619, 661, 709, 761,  823,  887,  953,  1031, 1109, 1193, 1289, 1381, 1493, 1613,
};
int __uforia_unspecified(const char *what);
static word __uforia_cxx_times(const struct policy *self, word count) {
    return self->load.bits == 0x3f800000 ? count : (word)(count * (double)self->load.number);
}
word _ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm(struct policy *self, word least) {
    const word n_known = sizeof __uforia_cxx_n_buckets / sizeof *__uforia_cxx_n_buckets;
    if (least == 0)
        return 1;
    word at = least < 14 ? least : 14;
    while (at < n_known && __uforia_cxx_n_buckets[at] < least)
        at++;
    word found = at < n_known ? __uforia_cxx_n_buckets[at] : (unsigned)__uforia_unspecified("the number of buckets of a large container");
    self->limit = __uforia_cxx_times(self, found);
    return found;
}
struct decision _ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm(struct policy *self, word n_buckets, word n_elements, word n_new) {
    struct decision stays = {0, 0};
    word wanted = n_elements + n_new;
    if (wanted <= self->limit)
        return stays;
    if (!self->limit && wanted < 11)
        wanted = 11;
    word least = self->load.bits == 0x3f800000 ? wanted : (word)(wanted / (double)self->load.number);
    if (self->load.bits == 0x3f800000 ? wanted >= n_buckets : wanted / (double)self->load.number >= n_buckets) {
        least = least + 1 > 2 * n_buckets ? least + 1 : 2 * n_buckets;
        struct decision grows = {1, _ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm(self, least)};
        return grows;
    }
    self->limit = __uforia_cxx_times(self, n_buckets);
    return stays;
}
word _ZSt11_Hash_bytesPKvmm(const unsigned char *bytes, word size, word seed) {
    const word factor = 0xc6a4a7935bd1e995;
    word hash = seed ^ size * factor, at = 0;
    for (; size - at >= 8; at += 8) {
        word eight = 0;
        for (word byte = 0; byte < 8; byte++)
            eight |= (word)bytes[at + byte] << 8 * byte;
        eight *= factor;
        eight = (eight ^ eight >> 47) * factor;
        hash = (hash ^ eight) * factor;
    }
    if (at < size) {
        word rest = 0;
        for (word byte = 0; at + byte < size; byte++)
            rest |= (word)bytes[at + byte] << 8 * byte;
        hash = (hash ^ rest) * factor;
    }
    hash = (hash ^ hash >> 47) * factor;
    return hash ^ hash >> 47;
}
