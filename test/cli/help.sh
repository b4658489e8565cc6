# The help of the program and of every verb.
. "$SOURCE/test/cli/prelude.sh"
"$THRONG" --help | sed '1s/ [0-9.]*:/ X.Y.Z:/'
for verb in run view check render export convert compare sweep bench models scenarios; do try $verb --help; done
"$THRONG" run -h | head -1
