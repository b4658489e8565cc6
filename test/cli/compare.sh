# Runs the script CASE in a directory of its own, which stays to be looked at until the next time, and
# compares what it prints with the file beside the script.
set -eu
expected=${CASE%.sh}.expected
work=$BUILD/test/scratch/cli_$(basename "$CASE" .sh)
rm -rf "$work"
mkdir -p "$work"
cd "$work"
sh -u "$CASE" >output 2>&1 || echo "[the script ended with status $?]" >>output
if [ -n "${UPDATE:-}" ]; then cp output "$expected"; fi
diff -u "$expected" output
