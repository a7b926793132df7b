"""python3 script/fresh-proxy.py PORT: an HTTP proxy on 127.0.0.1, for script/fresh --proxy.

Passes on requests with an absolute http URL, and opens tunnels (CONNECT). Each connection is used
for one request.
"""
import contextlib
import selectors
import socket
import socketserver
import sys
import urllib.parse


def pass_on(one, other):
    """Copies bytes in both directions until both ends are closed, or one is gone."""
    with selectors.DefaultSelector() as selector:
        for source, target in ((one, other), (other, one)):
            selector.register(source, selectors.EVENT_READ, target)
        while selector.get_map():
            for key, _ in selector.select():
                data = key.fileobj.recv(65536)
                if data:
                    key.data.sendall(data)
                else:
                    selector.unregister(key.fileobj)
                    key.data.shutdown(socket.SHUT_WR)


class Handler(socketserver.StreamRequestHandler):
    """One connection of a client."""

    rbufsize = 0

    def handle(self):
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            byte = self.rfile.read(1)
            if not byte:
                return
            head += byte
        line, *fields = head[:-4].decode("latin-1").split("\r\n")
        method, target, version = line.split(" ")
        if method == "CONNECT":
            host, _, port = target.rpartition(":")
            begin = b""
        else:
            url = urllib.parse.urlsplit(target)
            host, port = url.hostname, url.port or 80
            path = urllib.parse.urlunsplit(("", "", url.path or "/", url.query, ""))
            kept = [one for one in fields if not one.lower().startswith(("proxy-", "connection:"))]
            lines = [f"{method} {path} {version}", *kept, "Connection: close", "", ""]
            begin = "\r\n".join(lines).encode("latin-1")
        try:
            server = socket.create_connection((host, int(port)), timeout=60)
        except OSError as error:
            self.wfile.write(f"{version} 502 {error}\r\nContent-Length: 0\r\n\r\n".encode())
            return
        with server, contextlib.suppress(OSError):
            server.settimeout(None)
            if not begin:
                self.wfile.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            server.sendall(begin)
            pass_on(self.connection, server)


class Proxy(socketserver.ThreadingTCPServer):
    """Serves each client in a thread of its own."""

    daemon_threads = True
    allow_reuse_address = True

    def handle_error(self, request, client_address):
        print(f"fresh-proxy: {sys.exc_info()[1]}", file=sys.stderr)


if __name__ == "__main__":
    with Proxy(("127.0.0.1", int(sys.argv[1])), Handler) as proxy:
        proxy.serve_forever()
