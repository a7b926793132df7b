"""Varnish with the file of deploy/, in front of our server, on the server's core."""
import pathlib
import socket
import subprocess
import time

import companions
import machine

FILE = pathlib.Path(__file__).resolve().parent.parent / "deploy" / "varnish.vcl"
SOCKET = '.path = "/run/stockact/http.sock";'


class Varnish:
    """Started by `start`, because our server has to know its port first."""

    name = "Varnish"

    def __init__(self, folder):
        self.folder = folder
        self.port, = companions.free_ports(1)
        self.purge_url = f"http://127.0.0.1:{self.port}/purge"

    def start(self, server):
        text = FILE.read_text()
        if SOCKET not in text:
            raise machine.Failed(f"{FILE} does not have {SOCKET}")
        file = self.folder / "varnish.vcl"
        file.write_text(text.replace(SOCKET, f'.host = "127.0.0.1"; .port = "{server.port}";'))
        self.process = machine.spawn(
            ["varnishd", "-F", "-j", "none", "-n", self.folder / "varnish", "-f", file,
             "-a", f"127.0.0.1:{self.port}", "-T", "none", "-s", "malloc,256m"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.pids = [self.process.pid]
        until = time.monotonic() + machine.PATIENCE_SECONDS
        while not self._accepts():
            if self.process.poll() is not None or time.monotonic() > until:
                raise machine.Failed("varnishd did not start")
            time.sleep(0.05)

    def _accepts(self):
        try:
            socket.create_connection(("127.0.0.1", self.port)).close()
        except OSError:
            return False
        return True

    def __enter__(self):
        return self

    def __exit__(self, *_):
        machine.stop(self.process)
