"""A client of `throng view` for the tests: HTTP and WebSockets by hand, from Python's own library."""

import base64
import json
import os
import re
import select
import socket
import struct
import subprocess
import time


class Server:
    """A `throng view` of our own; ends with the block."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen([os.environ["THRONG"], "view", "--no-open", *arguments], text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.begun = time.monotonic()
        self.address = self.process.stdout.readline().strip()
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/\?token=([0-9a-f]{32})", self.address)
        if not found:
            raise AssertionError(f"no address: {self.address!r} {self.process.stderr.read()}")
        self.port, self.token = int(found[1]), found[2]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def end(self, signal=2):
        """Its exit status after a signal, and what it said."""
        if self.process.poll() is None:
            self.process.send_signal(signal)
        try:
            _, said = self.process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise AssertionError("the server does not end")
        return self.process.returncode, said

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=20)

    def raw(self, data):
        """All that is answered to some bytes until the server closes, or says nothing for a second."""
        with self.connect() as s:
            s.sendall(data)
            s.settimeout(1)
            answer = b""
            try:
                while piece := s.recv(65536):
                    answer += piece
            except (socket.timeout, ConnectionError):
                pass
            return answer

    def get(self, path, headers=(), method="GET", body=b"", token=True):
        """(status, head, body) of a request."""
        mark = "&" if "?" in path else "?"
        lines = [f"{method} {path}{mark + 'token=' + self.token if token else ''} HTTP/1.1"]
        if not any(h.lower().startswith("host:") for h in headers):
            lines.append(f"Host: 127.0.0.1:{self.port}")
        lines += [*headers, "Connection: close"]
        if body:
            lines.append(f"Content-Length: {len(body)}")
        with self.connect() as s:
            s.sendall("\r\n".join([*lines, "", ""]).encode() + body)
            answer = b""
            while piece := s.recv(65536):
                answer += piece
        head, _, rest = answer.partition(b"\r\n\r\n")
        return int(head.split()[1]), head.decode(), rest


class Live:
    """A WebSocket of a server."""

    def __init__(self, server, headers=(), query=None):
        self.socket = server.connect()
        key = base64.b64encode(os.urandom(16)).decode()
        query = f"?token={server.token}" if query is None else query
        lines = [f"GET /live{query} HTTP/1.1", f"Host: 127.0.0.1:{server.port}", "Upgrade: websocket",
                 "Connection: Upgrade", f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", *headers]
        self.socket.sendall("\r\n".join([*lines, "", ""]).encode())
        self.buffer = b""
        head = self._until(b"\r\n\r\n").decode()
        if " 101 " not in head.splitlines()[0]:
            raise ConnectionError(head.splitlines()[0])
        self.frames = {}  # the last of each run
        self.last = {}    # the last text of each kind

    def _until(self, mark):
        while mark not in self.buffer:
            piece = self.socket.recv(65536)
            if not piece:
                raise ConnectionError("closed")
            self.buffer += piece
        head, self.buffer = self.buffer.split(mark, 1)
        return head + mark

    def _take(self, count):
        if len(self.buffer) < count:
            pieces, have = [self.buffer], len(self.buffer)
            while have < count:
                piece = self.socket.recv(max(65536, count - have))
                if not piece:
                    raise ConnectionError("closed")
                pieces.append(piece)
                have += len(piece)
            self.buffer = b"".join(pieces)
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    def send_bytes(self, opcode, data, last=True, masked=True):
        length = len(data)
        head = bytes([(0x80 if last else 0) | opcode])
        bit = 0x80 if masked else 0
        head += bytes([bit | length]) if length < 126 else bytes([bit | 126]) + struct.pack(">H", length) \
            if length < 65536 else bytes([bit | 127]) + struct.pack(">Q", length)
        mask = os.urandom(4) if masked else b""
        if masked:
            data = bytes(b ^ mask[i & 3] for i, b in enumerate(data))
        self.socket.sendall(head + mask + data)

    def send(self, **command):
        self.send_bytes(1, json.dumps(command).encode())

    def receive(self, timeout=20):
        """The next message: a dict, or bytes of a frame; None after a time without any."""
        self.socket.settimeout(timeout)
        try:
            first, second = self._take(2)
            length = second & 127
            if length == 126:
                length, = struct.unpack(">H", self._take(2))
            elif length == 127:
                length, = struct.unpack(">Q", self._take(8))
            data = self._take(length)
        except (socket.timeout, TimeoutError):
            return None
        opcode = first & 15
        if opcode == 8:
            self.code = struct.unpack(">H", data[:2])[0]
            raise ConnectionError(f"closed with {self.code}: {data[2:].decode()}")
        if opcode in (9, 10):
            return self.receive(timeout)
        if opcode == 1:
            message = json.loads(data)
            self.last[message["type"], message.get("run")] = message
            return message
        frame = Frame(data, self.frames.get(data[5]))
        self.frames[frame.run] = frame
        return frame

    def wait(self, wanted, timeout=20):
        """The first message for which `wanted` is true."""
        end = time.monotonic() + timeout
        while (left := end - time.monotonic()) > 0:
            message = self.receive(left)
            if message is not None and wanted(message):
                return message
        raise AssertionError(f"nothing of the kind came in {timeout} s; last: {list(self.last)}")

    def text(self, kind, timeout=20, **values):
        return self.wait(lambda m: isinstance(m, dict) and m["type"] == kind and
                         all(m.get(k) == v for k, v in values.items()), timeout)

    def frame(self, wanted=lambda f: True, timeout=20):
        return self.wait(lambda m: isinstance(m, Frame) and wanted(m), timeout)

    def close(self):
        self.socket.close()


class Frame:
    """A frame, decoded as docs/formats.md has it."""

    def __init__(self, data, before):
        magic, flags, self.run, things, self.number, n, self.time, ox, oy, self.low, self.high = \
            struct.unpack_from("<4sBBHIIdddff", data)
        assert magic == b"TFR1" and not flags & ~11
        self.n, self.bytes, self.flags = n, len(data), flags
        at = 48

        def column(code, size):
            nonlocal at
            values = struct.unpack_from(f"<{n}{code}", data, at)
            at += (n * size + 3) // 4 * 4
            return values
        self.ids = column("I", 4) if flags & 1 else before.ids
        self.x = [ox + v / 1000 for v in column("i", 4)]
        self.y = [oy + v / 1000 for v in column("i", 4)]
        self.heading, self.speed = column("B", 1), column("B", 1)
        self.value = column("B", 1) if flags & 8 else None
        self.radius, self.group, self.model = (column("H", 2), column("B", 1), column("B", 1)) if flags & 2 else \
            (before.radius, before.group, before.model)
        self.things = [struct.unpack_from("<iiHH", data, at + 12 * i) for i in range(things)]
        at += 12 * things
        assert at == len(data) and len(self.ids) == n, "the frame has another length than it says"

    def where(self, person):
        row = self.ids.index(person)
        return self.x[row], self.y[row]
