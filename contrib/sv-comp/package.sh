#!/usr/bin/env bash
# Makes the archive for the software verification competition, and tries it out from another folder.
#
#   contrib/sv-comp/package.sh [ARCHIVE.zip [UFORIA]]      uforia.zip and a fresh release build if none is named
#
# The archive has one top folder with the binary, the licence, the README and a smoke test. Reproducible: the same binary gives the same bytes.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
archive=$(realpath -m "${1:-uforia.zip}")
if [ $# -ge 2 ]; then
    uforia=$(realpath "$2")
else
    cargo build --release --package uforia --manifest-path "$root/Cargo.toml"
    uforia=${CARGO_TARGET_DIR:-$root/target}/release/uforia
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

top=$work/uforia
mkdir -p "$top/examples"
cp "$uforia" "$top/uforia"
strip "$top/uforia" 2>/dev/null || echo "there is no strip: the binary keeps its symbols"
cp "$root/LICENSE-MIT" "$root/LICENSE-APACHE" "$top"
printf 'Uforia is licensed under either of the MIT licence (LICENSE-MIT) or the Apache licence, version 2.0 (LICENSE-APACHE), as you like.\n' >"$top/LICENSE"
cp "$root/contrib/sv-comp/README.md" "$root/contrib/sv-comp/smoketest.sh" "$top"
cp "$root/examples/goto_fail.c" "$root/examples/traffic_light.c" "$top/examples"
printf 'CHECK( init(main()), LTL(G ! call(reach_error())) )\n' >"$top/examples/unreach-call.prp"
chmod 755 "$top/uforia" "$top/smoketest.sh"

rm -f "$archive"
mkdir -p "$(dirname "$archive")"
python3 - "$work" "$archive" <<'PYTHON'
import os, sys, zipfile
work, archive = sys.argv[1:]
names = sorted(os.path.join(folder, name) for folder, _, files in os.walk(work + "/uforia") for name in files)
with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
    for name in names:
        info = zipfile.ZipInfo(os.path.relpath(name, work), (2026, 1, 1, 0, 0, 0))
        info.external_attr = (0o100755 if os.access(name, os.X_OK) else 0o100644) << 16
        info.compress_type = zipfile.ZIP_DEFLATED
        out.writestr(info, open(name, "rb").read())
PYTHON

# What the competition asks of an archive, and the smoke test from a folder with another name.
there="$work/some where else"
mkdir "$there"
python3 - "$archive" "$there" <<'PYTHON'
import os, sys, zipfile
archive, there = sys.argv[1:]
with zipfile.ZipFile(archive) as file:
    tops = {name.split("/")[0] for name in file.namelist()}
    assert tops == {"uforia"}, tops
    for wanted in ["uforia/LICENSE", "uforia/README.md", "uforia/smoketest.sh", "uforia/uforia"]:
        assert wanted in file.namelist(), wanted
    for info in file.infolist():
        to = file.extract(info, there)
        os.chmod(to, info.external_attr >> 16)
PYTHON
(cd / && "$there/uforia/smoketest.sh")
echo "$archive: $(du -k "$archive" | cut -f1) KiB, version $("$there/uforia/uforia" --version | cut -d' ' -f2)"
