# Models from outside: the example as a plug-in, alone and beside others; and plug-ins that are none.

plugin() { "$CC" -std=c17 -shared -fPIC -I"$SOURCE/include" "$@" -lm; }
# refused PATTERN ARGUMENTS: the program says so, and ends as for other bad input.
refused() {
    pattern=$1
    shift
    status=0
    "$THRONG" run "$@" 2>said || status=$?
    [ "$status" = 2 ] && grep -qE "$pattern" said || { echo "status $status, expected: $pattern"; cat said; exit 1; }
}

plugin "$SOURCE/examples/04_model.c" -o brake.so
"$THRONG" run demo/corner --model brake --plugin brake.so --threads 1 --stats one.json 2>said
grep -qE 'all [0-9]+ people arrived' said || { cat said; exit 1; }
"$THRONG" run demo/corner --model brake --plugin ./brake.so --threads 3 --stats three.json -q
digest() { grep -o '"digest":"[^"]*"' "$1"; }
[ -n "$(digest one.json)" ] && [ "$(digest one.json)" = "$(digest three.json)" ] || { echo "threads change the digest"; exit 1; }
"$THRONG" run demo/corner --model brake --plugin brake.so --set agents[0].params.headway=3 --stats slow.json -q
[ "$(digest one.json)" != "$(digest slow.json)" ] || { echo "its parameter does nothing"; exit 1; }

refused "there is no model 'brake'|brake" demo/corner --model brake
refused "expected a number from 0.1 to 10 s" demo/corner --model brake --plugin brake.so --set agents[0].params.headway=99
refused "there is a model 'brake' already" demo/corner --plugin brake.so --plugin ./brake.so
refused 'nowhere.so: it cannot be loaded' demo/corner --plugin nowhere.so
echo 'no library' >text.so
refused 'text.so: it cannot be loaded' demo/corner --plugin text.so
echo 'int nothing;' >empty.c && plugin empty.c -o empty.so
refused 'empty.so: it is no plug-in' demo/corner --plugin empty.so

# one line changed each
changed() { sed "$1" "$SOURCE/examples/04_model.c" >changed.c && plugin changed.c -o "$2"; }
changed 's/^THRONG_PLUGIN.*/const throng_plugin_def throng_plugin = {99, {0}, NULL};/' other.so
refused 'other.so: it is for interface 99' demo/corner --plugin other.so
changed 's/^THRONG_PLUGIN.*/const throng_plugin_def throng_plugin = {THRONG_INTERFACE, {8}, NULL};/' older.so
refused 'older.so: it was compiled with the headers of another version' demo/corner --plugin older.so
changed 's/"an example", 0}/"an example", 8}/' outside.so
refused "outside.so: model 'brake': 'headway' is outside its parameters" demo/corner --plugin outside.so
changed 's/\.step = step_all/.step = NULL/' still.so
refused "still.so: model 'brake' lacks a step" demo/corner --plugin still.so

# numbers that are none are counted and told, and nobody is lost
changed 's/double slow = 0;/double slow = 0, zero = 0; (void)slow;/; s/slow \* wx/zero \/ zero/' nan.so
"$THRONG" run demo/corner --model brake --plugin nan.so --set duration=1 2>said
grep -qE '[0-9]+ times a model gave somebody no finite position' said || { cat said; exit 1; }

# every verb takes one
"$THRONG" models --plugin brake.so | grep -q '^brake ' || { echo "models does not list it"; exit 1; }
"$THRONG" compare demo/corner --models brake,orca --seeds 2 --plugin=brake.so -o c.html --quiet && grep -q brake c.html || exit 1
refused 'takes a FILE.so' demo/corner --plugin
