"""Tests of the benchmark definitions: what BenchExec's own loader makes of them. Run by check.sh.

The competition's collection is large and not part of this project, so a small one with the same layout is made for the purpose: the folders
and the lists that sv-benchmarks.xml names, each with one task.
"""

import argparse
import datetime
import os
import re
import shutil
import sys
import tempfile

from benchexec.model import Benchmark

here = os.path.dirname(os.path.abspath(__file__))

TASK = """format_version: '2.0'
input_files: 'a.c'
properties:
  - property_file: ../properties/unreach-call.prp
    expected_verdict: true
  - property_file: ../properties/no-overflow.prp
    expected_verdict: true
options:
  language: C
  data_model: ILP32
"""


def write(name, text):
    os.makedirs(os.path.dirname(name), exist_ok=True)
    with open(name, "w") as file:
        file.write(text)


def load(definition):
    unset = "name timelimit walltimelimit memorylimit corelimit num_of_threads selected_run_definitions selected_sourcefile_sets"
    config = argparse.Namespace(**dict.fromkeys(unset.split()))
    config.description_file = config.tool_directory = None
    config.output_path = "results/"
    config.container = config.results_per_rundefinition = config.results_per_taskset = False
    return Benchmark(definition, config, datetime.datetime(2026, 1, 1))


def check(found, expected):
    if found != expected:
        sys.exit(f"expected {expected!r}, got {found!r}")


small = load(os.path.join(here, "uforia.xml"))
check([(run_set.real_name, len(run_set.runs)) for run_set in small.run_sets], [("default", 4), ("kind", 4)])
check({run.expected_results[run.properties[0].filename].result for run in small.run_sets[0].runs}, {True, False})

with tempfile.TemporaryDirectory() as folder:
    definition = os.path.join(folder, "uforia", "contrib", "benchexec", "sv-benchmarks.xml")
    os.makedirs(os.path.dirname(definition))
    shutil.copy(os.path.join(here, "sv-benchmarks.xml"), definition)
    collection = os.path.join(folder, "sv-benchmarks", "c")
    with open(definition) as file:
        sets = re.findall(r"/c/(\S+)\.set<", file.read())
    for name in sets:
        write(f"{collection}/{name}.set", f"{name}-tasks/*.yml\n")
        write(f"{collection}/{name}-tasks/{name}.yml", TASK)
        write(f"{collection}/{name}-tasks/a.c", "int main(void) { return 0; }\n")
    write(f"{collection}/properties/unreach-call.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n")
    write(f"{collection}/properties/no-overflow.prp", "CHECK( init(main()), LTL(G ! overflow) )\n")
    whole = load(definition)
    check(len(sets), 7)
    check([(run_set.real_name, len(run_set.runs)) for run_set in whole.run_sets], [("unreach-call", 6), ("no-overflow", 1)])
    limits = whole.rlimits
    check((limits.cputime, limits.cputime_hard, limits.memory, limits.cpu_cores), (900, 960, 15 * 10**9, 4))
    whole.executable = "uforia"
    for run_set in whole.run_sets:
        for run in run_set.runs:
            words = run.cmdline()
            check(words[1:4], ["check", "--witness", "witness.yml"])
            check(os.path.basename(words[words.index("--property") + 1]), f"{run_set.real_name}.prp")
            check(words[words.index("--data-model") + 1], "ilp32")
            check(words[words.index("--memory") + 1], str(15 * 10**9 * 95 // 100))
print("the definitions are read as they are meant")
