# What `throng view` serves, streams, and refuses: test/view/view.py is a client of its own.
exec python3 "$SOURCE/test/view/view.py"
