"""Answers SMT-LIB scripts with the solvers that are installed, one line for each script and solver."""

import os
import re
import signal
import sys


def z3_answers(text):
    import z3

    context = z3.Context()
    return z3.Z3_eval_smtlib2_string(context.ref(), "(set-option :timeout 2000)\n" + text).split()


def cvc5_answers(text):
    import cvc5

    manager = cvc5.TermManager()
    solver = cvc5.Solver(manager)
    solver.setOption("tlimit-per", "2000")
    solver.setOption("incremental", "true")
    solver.setOption("arrays-exp", "true")
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "script")
    answers = []
    while True:
        command = parser.nextCommand()
        if command.isNull():
            return answers
        answers += str(command.invoke(solver, parser.getSymbolManager())).split()


def bitwuzla_answers(text):
    import bitwuzla

    text = re.sub(r"\(set-logic [^)]*\)", "(set-logic QF_UFBV)", text) if "declare-sort" in text else text
    # It dies on equality over uninterpreted sorts; more words than a script has terms do as well.
    text = re.sub(r"\(declare-sort (\|[^|]*\||[^\s|]+) 0\)", r"(define-sort \1 () (_ BitVec 16))", text)
    # Only the last query, so that the answer comes through the interface; the reader asks none itself.
    body, _, _ = text.rpartition("(check-sat)")
    options = bitwuzla.Options()
    options.set(bitwuzla.Option.TIME_LIMIT_PER, 2000)
    manager = bitwuzla.TermManager()
    parser = bitwuzla.Parser(manager, options)
    parser.parse(body, True, False)
    answer = str(parser.bitwuzla().check_sat())
    return [answer.lower().rpartition(".")[2]]


def main():
    folder = sys.argv[1]
    solvers = {"z3": z3_answers, "cvc5": cvc5_answers, "bitwuzla": bitwuzla_answers}
    for name in sorted(os.listdir(folder), key=lambda name: int(name.partition(".")[0])):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            text = file.read()
        for solver, answers in solvers.items():
            # Processor time: on a busy machine the clock would end runs that are well.
            signal.setitimer(signal.ITIMER_PROF, 60)
            try:
                found = answers(text)
            except Exception as error:  # A refusal is no answer.
                found = ["refused:" + " ".join(str(error).split())[:200].replace(" ", "_")]
            signal.setitimer(signal.ITIMER_PROF, 0)
            print(name.partition(".")[0], solver, *found, flush=True)


main()
