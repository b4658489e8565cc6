#!/bin/sh
# Runs a test script in a new directory of its own, which is removed when the script has passed.
set -eu
script=$1
work=$(mktemp -d "${TMPDIR:-/tmp}/throng-test.XXXXXX")
cd "$work"
sh -eu "$script"
cd / && rm -rf "$work"
