# The documents keep up with the program: links lead somewhere, every model and each of its
# parameters has its place in docs/models.md, and every verb is explained.

cd "$SOURCE"
complain() { echo "$1"; failed=yes; }
failed=

for page in *.md docs/*.md; do
    for link in $(grep -oE '\]\([^)]+\)' "$page" | sed 's/^](//; s/)$//; s/#.*//' | grep -v '^https*:'); do
        [ -e "$(dirname "$page")/$link" ] || complain "$page: $link leads nowhere"
    done
done

# names KEY: every "name" in the list of models that is followed by KEY
names() { "$THRONG" models --json | grep -oE "\"name\": *\"[^\"]*\", *\"$1\"" | cut -d'"' -f4; }
for model in $(names title); do
    grep -qE "^## \`?$model\`?\$" docs/models.md || complain "docs/models.md has no page for $model"
done
for parameter in $(names unit); do
    grep -qF "\`$parameter\`" docs/models.md || complain "docs/models.md does not explain $parameter"
done

# The scenario that the README shows is a good one.
awk '/^```jsonc/ { inside = 1; next } /^```/ { inside = 0 } inside' README.md >"$OLDPWD/readme.json"
"$THRONG" check "$OLDPWD/readme.json" >/dev/null || complain "the scenario in README.md is refused"
[ -z "$failed" ]
