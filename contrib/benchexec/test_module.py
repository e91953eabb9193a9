"""Tests of the tool-info module: command lines, and what it makes of outputs. Run by check.sh."""

import sys

from benchexec import result, util
from benchexec.tools.template import BaseTool2, UnsupportedFeatureException
from contrib.benchexec.uforia import Tool

uforia = sys.argv[1]
tool = Tool()


def command_line(options=(), property_file=None, task_options=None, files=("a.c",), **limits):
    task = BaseTool2.Task.with_files(list(files), property_file=property_file, options=task_options)
    return tool.cmdline("uforia", list(options), task, BaseTool2.ResourceLimits(**limits))


def status(output, code=0, signal=None, cmdline=("uforia", "check", "a.c"), reason=None):
    exit_code = util.ProcessExitCode.create(signal=signal) if signal else util.ProcessExitCode.create(value=code)
    lines = BaseTool2.RunOutput([line + "\n" for line in output.splitlines()])
    return tool.determine_result(BaseTool2.Run(list(cmdline), exit_code, lines, reason))


def check(found, expected):
    if found != expected:
        sys.exit(f"expected {expected!r}, got {found!r}")


assert tool.version(uforia) and not tool.version(uforia).startswith("uforia")
check(command_line(), ["uforia", "check", "a.c"])
check(
    command_line(["--engine", "bmc"], "p.prp", {"language": "C", "data_model": "ILP32"}, memory=1000, cpu_cores=2),
    "uforia check --engine bmc --property p.prp --data-model ilp32 --memory 950 --threads 2 a.c".split(),
)
check(command_line(["--memory", "1GB"], memory=1000), ["uforia", "check", "--memory", "1GB", "a.c"])
check(
    command_line(["validate"], None, {"witness_input_file": "w.yml"}, ("a.c", "w.yml")),
    ["uforia", "validate", "--witness", "w.yml", "a.c"],
)
for options, task_options, files in [
    ([], {"data_model": "ILP33"}, ("a.c",)),
    ([], None, ("a.c", "b.c")),
    (["validate"], None, ("a.c",)),
]:
    try:
        sys.exit(f"{command_line(options, None, task_options, files)} should be refused")
    except UnsupportedFeatureException:
        pass

check(status("proved by kind: x\nSAFE"), result.RESULT_TRUE_PROP)
check(status("SAFE", code=70), "ERROR (bug in uforia)")
check(status("counterexample:\nUNSAFE: reach_error() at a.c:3 is reached", code=1), result.RESULT_FALSE_REACH)
overflow = ("uforia", "check", "--property", "c/properties/no-overflow.prp", "a.c")
check(status("UNSAFE: x at a.c:3 fails", code=1, cmdline=overflow), result.RESULT_FALSE_OVERFLOW)
check(status("UNKNOWN: out of time, no error within 3 steps", code=2), "unknown (out of time)")
check(status("UNKNOWN: out of memory", code=2), "OUT OF MEMORY")
check(status("UNKNOWN: unsupported recursion at a.c:3", code=2), "unknown (unsupported)")
check(status("UNKNOWN: gave up", code=2), result.RESULT_UNKNOWN)
check(status("UNKNOWN: not a valid program: x", code=65), "ERROR (not a valid program)")
check(status("", code=0), result.RESULT_UNKNOWN)
check(status("", signal=9), "KILLED BY SIGNAL 9")
check(status("", signal=9, reason="cputime"), result.RESULT_TIMEOUT)
output = BaseTool2.RunOutput(["proved by kind: an inductive invariant\n", "SAFE\n"])
check(tool.get_value_from_output(output, "proved by"), "kind: an inductive invariant")
check(tool.get_value_from_output(output, "found by"), None)
print("the module does what it should")
