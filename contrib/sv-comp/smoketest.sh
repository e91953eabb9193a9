#!/bin/sh
# Uforia works here: a safe program is proved, an unsafe one refuted, and both witnesses are confirmed. Ends with 0 if so.
set -u
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$here/examples" || exit 1

# The exit code, the beginning of the last line of output, and the command that should give them.
expect() {
    code=$1 line=$2
    shift 2
    "$@" >"$scratch/output" 2>"$scratch/errors"
    found=$?
    last=$(tail -n 1 "$scratch/output")
    case $last in
        "$line"*) if [ "$found" = "$code" ]; then echo "ok: $last"; return; fi ;;
    esac
    echo "expected $line (exit code $code), got (exit code $found): $last"
    cat "$scratch/errors"
    exit 1
}

uforia=$here/uforia
expect 0 "uforia " "$uforia" --version
expect 0 SAFE "$uforia" check --data-model ilp32 --witness "$scratch/safe.yml" traffic_light.c
expect 0 CONFIRMED "$uforia" validate --witness "$scratch/safe.yml" traffic_light.c
expect 1 UNSAFE "$uforia" check --property unreach-call.prp --data-model ilp32 --witness "$scratch/unsafe.yml" goto_fail.c
expect 0 CONFIRMED "$uforia" validate --witness "$scratch/unsafe.yml" goto_fail.c
echo "the smoke test is passed"
