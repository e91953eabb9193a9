"""Tool-info module of Uforia for BenchExec.

With this repository as the working folder (or in PYTHONPATH) the module's name is `contrib.benchexec.uforia`; a copy in the folder
`benchexec/tools` of BenchExec is simply called `uforia`. `check.sh` beside this file tests it.
"""

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.sv_benchmarks_util import (
    TaskFilesConsidered,
    handle_witness_of_task,
)
from benchexec.tools.template import UnsupportedFeatureException

# Exit codes of `uforia check` that are no answers, and what tables show for them.
FAILURES = {
    64: "ERROR (command line)",
    65: "ERROR (not a valid program)",
    66: "ERROR (cannot read)",
    70: "ERROR (bug in uforia)",
    74: "ERROR (cannot write)",
}

# Beginnings of the reasons of `UNKNOWN` that are worth a status of their own.
REASONS = {
    "out of time": "unknown (out of time)",
    "out of memory": "OUT OF MEMORY",
    "unsupported": "unknown (unsupported)",
    "only through undefined behaviour": "unknown (undefined behaviour)",
    "evidence rejected": "ERROR (bug in uforia)",
    "internal error": "ERROR (bug in uforia)",
}


class Tool(benchexec.tools.template.BaseTool2):
    """
    Uforia, a software model checker: C, Boogie, VMT and BTOR2 programs, with checked evidence.

    Options are those of `uforia check`. If the first option is `validate`, the witness of the task is checked instead.
    """

    def name(self):
        return "Uforia"

    def executable(self, tool_locator):
        return tool_locator.find_executable("uforia")

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="uforia")

    def cmdline(self, executable, options, task, rlimits):
        command = "check"
        if options and options[0] == "validate":
            command, options = "validate", options[1:]
        # A witness speaks of one file.
        is_single = command == "validate"
        files = TaskFilesConsidered.SINGLE_INPUT_FILE if is_single else TaskFilesConsidered.INPUT_FILES
        input_files, witness = handle_witness_of_task(
            task, options, "--witness", files
        )
        if command == "validate" and not witness and "--witness" not in options:
            raise UnsupportedFeatureException("validate needs a task with a witness")
        words = [executable, command, *options, *witness]
        if task.property_file:
            words += ["--property", task.property_file]
        if isinstance(task.options, dict) and task.options.get("data_model"):
            model = task.options["data_model"]
            if model not in ("ILP32", "LP64"):
                raise UnsupportedFeatureException(f"data model {model}")
            words += ["--data-model", model.lower()]
        if rlimits.memory and "--memory" not in options:
            # Rather say that there is no more memory than be killed without a word.
            words += ["--memory", str(rlimits.memory * 95 // 100)]
        if rlimits.cpu_cores and "--threads" not in options and command == "check":
            words += ["--threads", str(rlimits.cpu_cores)]
        return words + input_files

    def determine_result(self, run):
        lines = [line for line in run.output if line.strip()]
        last = lines[-1] if lines else ""
        code = run.exit_code.value
        # The last line is the answer; an exit code of a failure takes it back.
        if last.startswith("SAFE") and code not in FAILURES:
            return result.RESULT_TRUE_PROP
        if last.startswith("UNSAFE") and code not in FAILURES:
            return self._violated(run)
        if last.startswith("CONFIRMED"):
            return result.RESULT_FALSE_REACH if "error" in last else result.RESULT_TRUE_PROP
        if last.startswith("REJECTED"):
            return "ERROR (witness rejected)"
        if run.was_timeout:
            return result.RESULT_TIMEOUT
        if last.startswith("UNKNOWN: "):
            reason = last[len("UNKNOWN: ") :]
            for beginning, status in REASONS.items():
                if reason.startswith(beginning):
                    return status
        if code in FAILURES:
            return FAILURES[code]
        if run.exit_code.signal:
            return f"KILLED BY SIGNAL {run.exit_code.signal}"
        return result.RESULT_UNKNOWN

    @staticmethod
    def _violated(run):
        """Which property does not hold: the one that the command line asked for."""
        words = list(run.cmdline)
        asked = words[words.index("--property") + 1] if "--property" in words else ""
        return result.RESULT_FALSE_OVERFLOW if "overflow" in asked else result.RESULT_FALSE_REACH

    def get_value_from_output(self, output, identifier):
        """The rest of the last line that starts with the identifier: `proved by`, or with `--stats` any figure."""
        found = None
        for line in output:
            if line.startswith(identifier):
                found = line[len(identifier) :].strip(" :\n")
        return found
