/* Answers queries over one script with Z3's C interface and prints the seconds it took.
   usage: z3_queries SCRIPT QUERIES; a query is a line of numbers k (p_k is true) or -k (it is false), k > 0. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <z3.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv) {
    if (argc != 3) return 64;
    Z3_config config = Z3_mk_config();
    Z3_context z3 = Z3_mk_context(config);
    Z3_solver solver = Z3_mk_simple_solver(z3);
    Z3_solver_inc_ref(z3, solver);
    Z3_ast_vector all = Z3_parse_smtlib2_file(z3, argv[1], 0, 0, 0, 0, 0, 0);
    Z3_ast_vector_inc_ref(z3, all);
    for (unsigned i = 0; i < Z3_ast_vector_size(z3, all); i++) Z3_solver_assert(z3, solver, Z3_ast_vector_get(z3, all, i));
    FILE *queries = fopen(argv[2], "r");
    if (!queries) return 66;
    static char line[1 << 16];
    unsigned long sat = 0, unsat = 0, core = 0;
    double spent = 0;
    Z3_sort boolean = Z3_mk_bool_sort(z3);
    while (fgets(line, sizeof line, queries)) {
        Z3_ast lits[256];
        unsigned n = 0;
        for (char *word = strtok(line, " \n"); word && n < 256; word = strtok(0, " \n")) {
            long k = atol(word);
            char name[32];
            snprintf(name, sizeof name, "p%ld", labs(k));
            Z3_ast p = Z3_mk_const(z3, Z3_mk_string_symbol(z3, name), boolean);
            Z3_inc_ref(z3, p);
            if (k < 0) {
                p = Z3_mk_not(z3, p);
                Z3_inc_ref(z3, p);
            }
            lits[n++] = p;
        }
        double start = now();
        Z3_lbool answer = Z3_solver_check_assumptions(z3, solver, n, lits);
        if (answer == Z3_L_FALSE) {
            Z3_ast_vector found = Z3_solver_get_unsat_core(z3, solver);
            Z3_ast_vector_inc_ref(z3, found);
            core += Z3_ast_vector_size(z3, found);
            Z3_ast_vector_dec_ref(z3, found);
            unsat++;
        } else {
            sat++;
        }
        spent += now() - start;
    }
    printf("%lu %lu %lu %f\n", sat, unsat, core, spent);
    return 0;
}
