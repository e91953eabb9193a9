#!/usr/bin/env bash
# Validates SARIF files that uforia writes against the official schema of SARIF 2.1.0.
#
#   contrib/sarif/check.sh [UFORIA]          the binary; target/release/uforia if none is named
#
# The schema is the one in the crate serde-sarif, the validator is the Python package jsonschema; both come from their registries into a
# temporary folder. Nothing of them is part of this project.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
uforia=$(realpath "${1:-$root/target/release/uforia}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet jsonschema
mkdir "$work/crate" "$work/crate/src"
printf '[package]\nname = "schema"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\nserde-sarif = "0.8"\n[workspace]\n' >"$work/crate/Cargo.toml"
touch "$work/crate/src/lib.rs"
(cd "$work/crate" && cargo vendor --quiet vendor >/dev/null)

cd "$root"
"$uforia" check -q --sarif "$work/unsafe.sarif" examples/goto_fail.c || [ $? = 1 ]
"$uforia" check -q --sarif "$work/overflow.sarif" --property no-overflow examples/midpoint.c || [ $? = 1 ]
"$uforia" check -q --sarif "$work/safe.sarif" examples/traffic_light.c
"$uforia" check -q --sarif "$work/missing.sarif" no_such_file.c || [ $? = 66 ]
"$uforia" check -q --sarif "$work/folder.sarif" --timeout 2s examples || [ $? = 1 ]
"$work/venv/bin/python" - "$work" <<'PYTHON'
import glob, json, sys
import jsonschema
schema = json.load(open(sys.argv[1] + "/crate/vendor/serde-sarif/src/schema.json"))
validator = jsonschema.Draft7Validator(schema, format_checker=jsonschema.FormatChecker())
wrong = 0
for name in sorted(glob.glob(sys.argv[1] + "/*.sarif")):
    log = json.load(open(name))
    errors = list(validator.iter_errors(log))
    run = log["runs"][0]
    print(f"{name.rsplit('/', 1)[1]}: {len(run['results'])} results, {len(errors)} errors")
    for error in errors[:10]:
        print("  ", list(error.path), error.message[:300])
    wrong += len(errors)
sys.exit(wrong > 0)
PYTHON
