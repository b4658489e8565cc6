#!/bin/sh
# Runs a test script in a new directory of its own, which stays to be looked at until the next time.
set -eu
script=$1
work=$BUILD/test/scratch/$(basename "$script" .sh)
rm -rf "$work"
mkdir -p "$work"
cd "$work"
exec sh -eu "$script"
