# `throng measure` agrees with PedPy, where that can be had from PyPI; `make interop` compares more.
sh "$SOURCE/test/interop/run.sh" "$THRONG" "$BUILD/pedpy" few
