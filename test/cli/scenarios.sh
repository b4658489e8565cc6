# The built-in scenes: each has a description, is good, and its text can be taken as a start.
. "$SOURCE/test/cli/prelude.sh"
"$THRONG" scenarios >list
for name in orca/circle-250 orca/circle-1000 orca/blocks orca/random-1k orca/random-10k orca/random-100k \
    demo/bottleneck demo/corner demo/two-exits; do
    grep -qE "^$name +[^ ].* .* " list || echo "NOT LISTED: $name"
done
# Scenes of papers tell their figure.
grep -c '^uic/circle-10k  *Narain et al. 2009, fig. 4a: a vortex forms. 10,000 people' list
grep '^rimea/06-corner ' list | sed 's/  */ /'
for name in $(awk 'NF == 0 { exit } { print $1 }' list); do
    "$THRONG" scenarios "$name" >start.json
    cmp start.json "$SOURCE/scenarios/$name.json" && "$THRONG" check start.json >/dev/null 2>&1 || echo "NOT GOOD: $name"
done
tail -1 list
