# The Python package, built over the library of this build tree, with PedPy and JuPedSim from PyPI where these can be had.
environment=$BUILD/pedpy
sh "$SOURCE/test/interop/environment.sh" "$environment" 'jupedsim>=1.3' cffi setuptools scikit-build-core ||
    { echo "skipped: what the Python package needs cannot be installed here (pip install pedpy jupedsim cffi scikit-build-core)"; exit 0; }
python=$environment/bin/python3

cmake --install "$BUILD" --prefix "$PWD/prefix" >/dev/null
"$environment/bin/pip" install --quiet --disable-pip-version-check --no-build-isolation --no-deps --no-compile --target site "$SOURCE/python" \
    -C cmake.define.CMAKE_PREFIX_PATH="$PWD/prefix" -C cmake.define.CMAKE_C_COMPILER="$CC" -C cmake.build-type=Debug >log 2>&1 || { cat log; exit 1; }
# One file for every Python from 3.9 on.
ls site/throng/_throng.abi3.so site/throng/py.typed >/dev/null
# With the examples of docs/python.md and the notebooks.
export PYTHONPATH="$PWD/site" PYTHONWARNINGS=ignore PYTHONDONTWRITEBYTECODE=1 THRONG
"$python" -m unittest discover -s "$SOURCE/python/tests" >tests.txt 2>&1 || { cat tests.txt; exit 1; }
tail -3 tests.txt
