#!/usr/bin/env bash
# Opens pages that `uforia check --html` writes in headless Chromium: the cursor, the address, the keyboard, no script, dark mode, print, accessibility.
#
#   contrib/html/check.sh [UFORIA] [--install]     the binary; target/release/uforia if none is named
#
# It needs node, npm and Chromium (Debian: apt-get install chromium; $CHROMIUM names another). With --install a missing Chromium is installed by
# apt-get, where that is allowed; without it the script says what is missing and ends with 0. playwright-core and axe-core come from the npm registry into
# target/html-check. Nothing of them is part of this project.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
uforia=$root/target/release/uforia
install=
for word in "$@"; do
    if [ "$word" = --install ]; then install=yes; else uforia=$(realpath -m "$word"); fi
done
chromium=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}
if [ -z "$chromium" ] && [ -n "$install" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    (timeout 600 apt-get -qq update && timeout 600 apt-get -qq install -y chromium) >/dev/null 2>&1 || true
    chromium=$(command -v chromium || true)
fi
missing=
[ -n "$chromium" ] || missing="Chromium"
for tool in node npm; do command -v $tool >/dev/null || missing="$missing $tool"; done
if [ -n "$missing" ]; then
    echo "skipped: the pages were not opened in a browser, since this is missing: $missing"
    exit 0
fi
tools=$root/target/html-check
mkdir -p "$tools"
if [ ! -d "$tools/node_modules/playwright-core" ] || [ ! -d "$tools/node_modules/axe-core" ]; then
    echo '{"private": true}' >"$tools/package.json"
    if ! (cd "$tools" && npm install --silent --no-audit --no-fund playwright-core@1 axe-core@4 >install.log 2>&1); then
        echo "skipped: npm cannot install playwright-core and axe-core (see $tools/install.log)"
        exit 0
    fi
fi
[ -x "$uforia" ] || (cd "$root" && cargo build --release --quiet -p uforia)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root"
"$uforia" check -q --html "$work/unsafe.html" --json "$work/unsafe.json" --harness "$work/harness.c" examples/goto_fail.c >/dev/null || [ $? = 1 ]
"$uforia" check -q --html "$work/safe.html" --json "$work/safe.json" examples/traffic_light.c >/dev/null
"$uforia" check -q --html "$work/precise.html" --json "$work/precise.json" --engine refine examples/waiting_room.c >/dev/null || [ $? = 2 ]
"$uforia" check -q --timeout 2s --html "$work/unknown.html" examples/checksum.c >/dev/null || [ $? = 2 ]
cp contrib/html/rounds.c "$work/a \"<b>& c.c"
"$uforia" check -q --html "$work/rounds.html" --json "$work/rounds.json" "$work/a \"<b>& c.c" >/dev/null || [ $? = 1 ]
printf 'int main(void)\n{\n    return x; /* \xe9 </script><img src=x onerror=alert(1)> \xe2\x80\xae */\n}\n' >"$work/invalid.c"
"$uforia" check -q --html "$work/invalid.html" "$work/invalid.c" >/dev/null 2>&1 || [ $? = 65 ]
{
    echo 'extern void reach_error(void); extern int __VERIFIER_nondet_int(void); static int g;'
    for i in $(seq 1 6000); do printf 'static void f%d(int x)\n{\n    if (x == %d) g = x;\n}\n' "$i" "$i"; done
    echo 'int main(void) { f7(__VERIFIER_nondet_int()); if (g == 7) reach_error(); return 0; }'
} >"$work/large.c"
"$uforia" check -q --html "$work/large.html" "$work/large.c" >/dev/null || [ $? = 1 ]
"$uforia" check -q --timeout 10s --html "$work/all.html" examples/goto_fail.c examples/traffic_light.c --separate >/dev/null || [ $? = 1 ]
NODE_PATH=$tools/node_modules node contrib/html/check.cjs "$work" "$chromium" ${SHOTS:-}
