"""Seconds that Bitwuzla and Z3 take for each script, reading included: name, solver, answer, seconds.

Arguments: the folder, and milliseconds for each script."""

import os
import sys
import time


def bitwuzla_answer(text):
    import bitwuzla

    body, _, _ = text.rpartition("(check-sat)")
    manager, options = bitwuzla.TermManager(), bitwuzla.Options()
    options.set(bitwuzla.Option.TIME_LIMIT_PER, LIMIT)
    parser = bitwuzla.Parser(manager, options)
    parser.parse(body, True, False)
    return str(parser.bitwuzla().check_sat()).lower().rpartition(".")[2]


def z3_answer(text):
    import z3

    context = z3.Context()
    return z3.Z3_eval_smtlib2_string(context.ref(), f"(set-option :timeout {LIMIT})\n{text}").strip().split()[-1]


LIMIT = int(sys.argv[2])
for solver in (bitwuzla_answer, z3_answer):
    solver("(declare-const p Bool)(assert p)(check-sat)")
for name in sorted(os.listdir(sys.argv[1])):
    with open(os.path.join(sys.argv[1], name), encoding="utf-8") as file:
        text = file.read()
    for solver in (bitwuzla_answer, z3_answer):
        start = time.perf_counter()
        answer = solver(text)
        print(name, solver.__name__.partition("_")[0], answer, f"{time.perf_counter() - start:.6f}", flush=True)
