# Compares `throng measure` with PedPy, installed in an environment of its own: run.sh THRONG FOLDER few|all
# few: the beginnings of three recordings of real people, or one made up; all: 41 of them, and published figures of theirs.
# Skipped with one line where PedPy cannot be installed, and the part on real people where there are none.
throng=$1 folder=$2 what=$3
here=$(dirname "$0")
python=$folder/bin/python3
sh "$here/environment.sh" "$folder" ||
    { echo "skipped: PedPy cannot be installed here (pip install pedpy)"; exit 0; }
export PYTHONWARNINGS=ignore
if [ ! -d "${THRONG_DATA:-}" ]; then
    echo "skipped: no recordings of real people in THRONG_DATA (doi:10.34735/ped.2009.6, doi:10.34735/ped.2018.1)"
    exec "$python" "$here/pedpy_compare.py" "$throng" own
fi
[ "$what" = few ] && exec "$python" "$here/pedpy_compare.py" "$throng" few "$THRONG_DATA"
"$python" "$here/figures.py" "$throng" "$THRONG_DATA" && "$python" "$here/pedpy_compare.py" "$throng" own &&
    "$python" "$here/pedpy_compare.py" "$throng" data "$THRONG_DATA"
