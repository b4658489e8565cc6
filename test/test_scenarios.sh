# Every built-in scenario is accepted by `throng check`, is listed by `throng scenarios`, and runs to
# the same bytes whatever the number of threads.

digest() { "$THRONG" run "$1" --duration "$3" --threads "$2" --quiet --stats - | sed 's/.*"digest": *"\([0-9a-f]*\)".*/\1/'; }

cd "$SOURCE/scenarios"
names=$(find . -mindepth 2 -name '*.json' | sed 's|^\./||; s|\.json$||' | sort)
cd "$OLDPWD"
"$THRONG" scenarios >listed
for name in $names; do
    grep -q "$name" listed || { echo "$name is not listed by 'throng scenarios'"; exit 1; }
    "$THRONG" check "$name" >log 2>&1 || { cat log; exit 1; }
    # A few steps of a large crowd say as much as many.
    case $name in
        implicit/evacuation | implicit/blocks | implicit/*000) seconds=0.2 ;;
        pbd/*10k | pbd/*100k) seconds=0.1 ;;
        uic/* | cpd/table1-* | cpd/million) seconds=0.2 ;;
        pbd/*) seconds=0.5 ;;
        *) seconds=1 ;;
    esac
    one=$(digest "$name" 1 $seconds)
    expr "$one" : '[0-9a-f]\{16\}$' >/dev/null || { echo "$name: no digest: $one"; exit 1; }
    # The verification cases have little in them that the other scenes have not.
    case $name in demo/* | orca/* | implicit/*) counts="2 3 5 8" ;; cpd/table1-* | cpd/million) counts=2 ;; pbd/* | uic/* | forces/* | cpd/*) counts="2 5" ;; *) counts=3 ;; esac
    for threads in $counts; do
        many=$(digest "$name" "$threads" $seconds)
        [ "$many" = "$one" ] || { echo "$name: digest $many with $threads threads, $one with one"; exit 1; }
    done
done

# Those that a program draws are what it draws, and run with other models as they are.
for model in pbd uic forces cpd; do
    mkdir $model
    "$SOURCE/tools/scenes/$model.py" --all $model
    for drawn in $model/*; do
        diff "$drawn" "$SOURCE/scenarios/$drawn" || { echo "tools/scenes/$model.py --all scenarios/$model brings them up to date"; exit 1; }
    done
done
mkdir bodies
"$SOURCE/tools/scenes/bodies.py" --all bodies
for drawn in bodies/*; do
    diff "$drawn" "$SOURCE/scenarios/forces/${drawn#*/}" || { echo "tools/scenes/bodies.py --all scenarios/forces brings them up to date"; exit 1; }
done
for name in proximal bears-and-rabbits bottleneck-480; do
    for model in powerlaw orca implicit; do
        "$THRONG" run "pbd/$name" --model $model --duration 0.2 --quiet
    done
done
