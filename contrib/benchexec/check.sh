#!/usr/bin/env bash
# Tests the tool-info module and the benchmark definition with the BenchExec of PyPI, in a virtual environment of its own.
#
#   contrib/benchexec/check.sh [UFORIA]      the binary; target/release/uforia if none is named
#
# 1. BenchExec's own test of tool-info modules. 2. What the module makes of outputs. 3. What BenchExec's loader makes of both definitions.
# 4. A real run of uforia.xml: through benchexec where the machine allows control groups, in containers if it can; if it cannot, that is said in
# capitals and the exit code is 2.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
uforia=$(realpath "${1:-$root/target/release/uforia}")
folder=$(dirname "$uforia")
# Not in /tmp, which containers do not see.
cache=${XDG_CACHE_HOME:-$HOME/.cache}
mkdir -p "$cache"
work=$(mktemp -d -p "$cache")
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet benchexec pyyaml
bin=$work/venv/bin
export PYTHONPATH=$root
cd "$root"
echo "benchexec $("$bin/python" -c 'import benchexec; print(benchexec.__version__)')"

echo "== benchexec.test_tool_info"
"$uforia" check -q examples/goto_fail.c >"$work/unsafe.txt" || [ $? = 1 ]
"$bin/python" -m benchexec.test_tool_info contrib.benchexec.uforia --no-container --tool-directory "$folder" \
    --tool-output "$work/unsafe.txt" >"$work/info.txt" 2>&1 || { cat "$work/info.txt"; exit 1; }
cat "$work/info.txt"
# A binary outside of the repository has an absolute path, and programs have one file: both are as they should be.
grep -q "false(unreach-call)" "$work/info.txt" || { echo "the output of an unsafe program is not understood"; exit 1; }
if grep -E "^WARNING|^ERROR|Traceback" "$work/info.txt" | grep -vE "executable is absolute|multiple input files"; then echo "the tool-info module is not in order"; exit 1; fi

echo "== what the module says"
"$bin/python" contrib/benchexec/test_module.py "$uforia"

echo "== what BenchExec's loader says"
"$bin/python" contrib/benchexec/test_definitions.py

echo "== a run of uforia.xml"
for container in "" "--read-only-dir / --hidden-dir /home" "--no-container"; do
    # shellcheck disable=SC2086
    if "$bin/benchexec" $container --tool-directory "$folder" --no-compress-results -o "$work/results/" \
        contrib/benchexec/uforia.xml >"$work/run.txt" 2>&1 && grep -q "correct:" "$work/run.txt"; then
        cat "$work/run.txt"
        echo "RUN THROUGH BENCHEXEC ${container:-IN CONTAINERS}"
        grep -q "incorrect: *0" "$work/run.txt" || { echo "an answer is wrong"; exit 1; }
        exit 0
    fi
    tail -3 "$work/run.txt"
done
echo "BENCHEXEC CANNOT LIMIT RESOURCES ON THIS MACHINE, SO NOTHING WAS RUN THROUGH IT (benchexec.check_cgroups says why)"
exit 2
