# Compares `throng measure` with PedPy, installed in an environment of its own: run.sh THRONG FOLDER own|data|all
# Skipped with one line where PedPy cannot be installed, and its part on recordings of real people where there are none.
throng=$1 folder=$2 what=$3
here=$(dirname "$0")
python=$folder/bin/python3
if ! "$python" -c 'import pedpy' 2>/dev/null; then
    python3 -m venv "$folder" >/dev/null 2>&1 && "$folder/bin/pip" install --quiet 'pedpy>=1.5,<1.6' >/dev/null 2>&1 ||
        { echo "skipped: PedPy cannot be installed here (pip install pedpy)"; exit 0; }
fi
if [ "$what" != data ]; then "$python" "$here/pedpy_compare.py" "$throng" own || exit 1; fi
[ "$what" = own ] && exit 0
[ -d "$THRONG_DATA" ] || { echo "skipped: no recordings of real people in THRONG_DATA (doi:10.34735/ped.2009.6, doi:10.34735/ped.2018.1)"; exit 0; }
"$python" "$here/pedpy_compare.py" "$throng" data "$THRONG_DATA"
