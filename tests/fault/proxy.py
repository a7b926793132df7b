"""A network between a server and its PostgreSQL that can be cut or can stall."""
import contextlib
import socket
import threading

PIECE = 65536


class Proxy:
    """Accepts TCP connections and forwards them to the cluster's unix socket.

        open      bytes pass both ways
        stalled   nothing passes, without an error; new connections are accepted, but get no bytes
        cut       connections are reset, also new ones
    """

    def __init__(self, cluster):
        self._to = f"{cluster.folder}/.s.PGSQL.5432"
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._flows, self._cut = threading.Event(), False
        self._flows.set()
        self._pairs, self._lock = set(), threading.Lock()
        threading.Thread(target=self._accept, daemon=True).start()

    def url(self, name):
        return f"postgresql://tests@127.0.0.1:{self.port}/{name}"

    def open(self):
        self._cut = False
        self._flows.set()

    def stall(self):
        self._flows.clear()

    def cut(self):
        self._cut = True
        with self._lock:
            pairs, self._pairs = self._pairs, set()
        for pair in pairs:
            self._reset(pair)
        self._flows.set()

    def close(self):
        self._listener.close()
        self.cut()

    @staticmethod
    def _reset(pair):
        for end in pair:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _accept(self):
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            if self._cut:
                near.close()
                continue
            far = socket.socket(socket.AF_UNIX)
            try:
                far.connect(self._to)
            except OSError:
                near.close()
                far.close()
                continue
            with self._lock:
                self._pairs.add((near, far))
            for ends in ((near, far), (far, near)):
                threading.Thread(target=self._pass, args=ends, daemon=True).start()

    def _pass(self, source, target):
        with contextlib.suppress(OSError):
            while piece := source.recv(PIECE):
                self._flows.wait()
                target.sendall(piece)
        self._reset((source, target))
