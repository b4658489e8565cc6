# Does what docs/guide.md tells a newcomer to do: saves its files, runs its commands.
. "$SOURCE/test/cli/prelude.sh"
mkdir bin && ln -s "$THRONG" bin/throng
PATH=$PWD/bin:$PATH

# ```jsonc NAME is a file to save; ```sh is something to type.
awk '/^```jsonc / { file = $2; next } /^```/ { file = "" } file { print > file }' "$SOURCE/docs/guide.md"
awk '/^```sh$/ { on = 1; next } /^```/ { on = 0 } on' "$SOURCE/docs/guide.md" >commands

# What serves until Ctrl-C gets one.
while read -r line; do
    code=0 command=$line
    case $line in "throng view"*) command="timeout --foreground --preserve-status -s INT 1 throng view --no-open${line#throng view}" ;; esac
    sh -c "$command" >stdout 2>stderr </dev/null || code=$?
    echo "[status $code] $line"
    if [ $code -ne 0 ]; then cat stderr; fi
done <commands
"$THRONG" run hall.json --quiet --stats - | grep -o '"initial":[0-9]*,"spawned":0,"arrived":[0-9]*'
