"""The servers that the page is compared with: nginx and the bare epoll loop. Each sends the same
number of head and body bytes as our server."""
import pathlib
import socket
import subprocess
import time

import machine

# One process with one worker. Files and connections stay open; nothing is logged.
CONFIG = """\
daemon off;
master_process off;
worker_processes 1;
worker_rlimit_nofile 4096;
pid {folder}/nginx.pid;
error_log {folder}/error.log crit;
events {{ worker_connections 2048; use epoll; multi_accept on; }}
http {{
    access_log off;
    server_tokens off;
    default_type application/json;
    keepalive_requests 1000000000;
    keepalive_timeout 1h;
    tcp_nodelay on;
    open_file_cache max=1000 inactive=1h;
    open_file_cache_valid 1h;
    output_buffers 1 64k;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    root {folder}/root;
    server {{ listen 127.0.0.1:{plain}; sendfile off; {lines} }}
    server {{ listen 127.0.0.1:{nopush}; sendfile on; tcp_nopush on; {lines} }}
    server {{ listen 127.0.0.1:{sendfile}; sendfile on; tcp_nopush off; {lines} }}
    server {{ listen 127.0.0.1:{gzip}; sendfile off; gzip on; gzip_comp_level 1;
              gzip_types application/json; {lines} }}
}}
"""
NAMES = ("nginx, sendfile off", "nginx, sendfile on, tcp_nopush on",
         "nginx, sendfile on, tcp_nopush off", "nginx, gzip level 1")
OWN_LINES = {"date", "content-type", "content-length", "etag", "connection", "server"}


class Companion:
    def __init__(self, name, port, *pids):
        self.name, self.port, self.pids = name, port, pids


def free_ports(count):
    listeners = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [listener.getsockname()[1] for listener in listeners]
    for listener in listeners:
        listener.close()
    return ports


def exchange(port, target, headers):
    """Returns (head, body) of a response with a Content-Length, as received."""
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1\r\n{lines}\r\n".encode())
        received = b""
        while b"\r\n\r\n" not in received:
            received += connection.recv(65536) or b"\r\n\r\n"
        head, _, body = received.partition(b"\r\n\r\n")
        size = next(int(line.partition(b":")[2]) for line in head.split(b"\r\n")
                    if line.lower().startswith(b"content-length:"))
        while len(body) < size:
            piece = connection.recv(65536)
            if not piece:
                raise machine.Failed(f"port {port} broke off at {len(body)} of {size} bytes")
            body += piece
    return head + b"\r\n\r\n", body


def fillers(head, room):
    """Returns add_header lines of exactly `room` bytes: as many of our lines as fit that nginx does
    not write by itself, and one line of padding."""
    lines = []
    for line in head.decode().split("\r\n")[1:]:
        name, _, value = line.partition(": ")
        size = len(line) + 2
        if name and name.lower() not in OWN_LINES and size <= room - len("X-Fill: .\r\n"):
            lines.append(f"add_header {name} '{value}' always;")
            room -= size
    return " ".join(lines + [f"add_header X-Fill '{'.' * (room - len('X-Fill: ') - 2)}' always;"])


class Nginx:
    """One process with four ports: .pages are sendfile off, and sendfile on with and without
    tcp_nopush; .gzip compresses."""

    def __init__(self, folder, head, body):
        self.folder = pathlib.Path(folder)
        (self.folder / "root").mkdir()
        (self.folder / "root" / "page.json").write_bytes(body)
        self.target = "/page.json"
        self._start("")
        bare_head, _ = exchange(self.ports[0], self.target, {})
        self.__exit__()
        self._start(fillers(head, len(head) - len(bare_head)))
        *self.pages, self.gzip = (Companion(name, port, self.process.pid)
                                  for name, port in zip(NAMES, self.ports))
        for page in self.pages:
            got = exchange(page.port, self.target, {})
            if len(got[0]) != len(head) or got[1] != body:
                raise machine.Failed(f"{page.name} sends {len(got[0])} + {len(got[1])} bytes")

    def add_pages(self, bodies):
        """Adds pages and returns their targets."""
        bodies = list(bodies)
        names = [f"/page-{number}.json" for number in range(len(bodies))]
        for name, body in zip(names, bodies):
            (self.folder / "root" / name[1:]).write_bytes(body)
        return names

    def _start(self, lines):
        self.ports = free_ports(len(NAMES))
        plain, nopush, sendfile, gzip = self.ports
        config = self.folder / "nginx.conf"
        config.write_text(CONFIG.format(folder=self.folder, lines=lines, plain=plain,
                                        nopush=nopush, sendfile=sendfile, gzip=gzip))
        self.process = machine.spawn(["nginx", "-p", self.folder, "-c", config,
                                      "-e", self.folder / "error.log"])
        deadline = time.monotonic() + machine.PATIENCE_SECONDS
        while True:
            try:
                socket.create_connection(("127.0.0.1", gzip)).close()
                return
            except ConnectionRefusedError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise machine.Failed((self.folder / "error.log").read_text()) from None
                time.sleep(0.01)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        machine.stop(self.process)


class Bare:
    """The bare epoll loop, bench/epoll_page.c."""

    def __init__(self, program, folder, head, body):
        path = pathlib.Path(folder) / "response"
        path.write_bytes(head + body)
        self.process = machine.spawn([program, path], stdout=subprocess.PIPE, text=True)
        port = int(self.process.stdout.readline())
        self.target = "/page.json"
        if exchange(port, self.target, {}) != (head, body):
            raise machine.Failed("epoll_page sends something else")
        self.server = Companion("bare epoll loop", port, self.process.pid)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        machine.stop(self.process)
