"""One database with its programs: commands, and a server with a client.

Each of them takes a Fault: strace then kills the program, or fails its call, at the n-th call of
one kind.
"""
import contextlib
import dataclasses
import http.client
import ipaddress
import itertools
import json
import os
import pathlib
import secrets
import signal
import subprocess
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = os.environ.get("STOCKACT_BIN", str(ROOT / "build" / "stockact"))
ADDRESSES = itertools.count(0x64400001)  # one per request: error responses are limited too
COMMAND_SECONDS = 60
START_SECONDS = 60
STOP_SECONDS = 60  # 12 are promised; a machine that is busy with sweeps gets more
KEPT_SECONDS = 5  # a connection; the server closes idle ones later


@dataclasses.dataclass(frozen=True)
class Fault:
    """A fault for one call. `action` is a part of strace's -e inject=, "signal=KILL" or
    "error=EIO"; `when` counts the calls of this kind in each thread: "7", "7+"."""
    call: str
    when: str
    action: str = "signal=KILL"
    path: str = None  # only calls on this file

    def _options(self):
        only = ["-P", self.path] if self.path else []
        return ["-f", "-o", "/dev/null", *only, "-e", f"trace={self.call}",
                "-e", f"inject={self.call}:{self.action}:when={self.when}"]

    def command(self):
        """Returns the words before a command, which stays our child: strace is its grandchild."""
        return ["strace", "-D", "-qqq", *self._options()]

    def attach(self, pid):
        """Calls are counted after this returns. strace ends with the program."""
        process = subprocess.Popen(kept(["strace", *self._options(), "-p", str(pid)]),
                                   stderr=subprocess.PIPE, text=True)
        for line in process.stderr:
            if "attached" in line:
                return process
        raise RuntimeError(f"strace does not attach to {pid}")

    def __str__(self):
        return f"{self.call} {self.when} {self.action}"


@dataclasses.dataclass
class Done:
    """A finished command. Each whole line of its output is an acknowledgement, however it ended."""
    status: int  # negative: the signal
    lines: list
    errors: str

    @property
    def killed(self):
        return self.status == -signal.SIGKILL


class CutOff(Exception):
    """A command did not start because of a power cut."""


def parse_lines(text):
    return [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]


def kept(command):
    """A child that ends when this process ends, for any reason."""
    return ["setpriv", "--pdeathsig", "KILL", *map(str, command)]


class Site:
    def __init__(self, folder, database, *, env=None, program=PROGRAM):
        self.folder, self.database, self.program = pathlib.Path(folder), database, program
        self.env = {
            **{name: os.environ[name] for name in ("PATH", "ASAN_OPTIONS", "TSAN_OPTIONS")
               if name in os.environ},
            "STOCKACT_DATABASE": database.url, **self._secret_key(),
            "STOCKACT_ACCESS_LOG": "0", "STOCKACT_TRUSTED_PROXIES": "127.0.0.0/8",
            **(env or {})}
        self.before = lambda: []       # the words before a program
        self.servers = []
        self.commands = set()          # running
        self.gate = threading.Lock()   # its holder can rely on no command starting
        self.cut_off = False           # no command may start; set with the gate

    def _secret_key(self):
        """With an embedded database the program creates the key by itself."""
        if self.database.kind == "sqlite":
            return {}
        file = self.folder / "secret.key"
        if not file.exists():
            file.write_bytes(secrets.token_bytes(32))
            file.chmod(0o600)
        return {"STOCKACT_SECRET_KEY_FILE": str(file)}

    def start(self, *arguments, fault=None, env=None):
        """Starts a command. run() waits for it."""
        command = [*(fault.command() if fault else []), *self.before(), self.program, *arguments,
                   "--json"]
        with self.gate:
            if self.cut_off:
                raise CutOff
            process = subprocess.Popen(kept(command), env={**self.env, **(env or {})},
                                       cwd=self.folder, text=True, stdin=subprocess.DEVNULL,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.commands.add(process)
        return process

    def run(self, *arguments, fault=None, env=None, seconds=COMMAND_SECONDS):
        process = self.start(*arguments, fault=fault, env=env)
        try:
            out, errors = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        finally:
            self.commands.discard(process)
        return Done(process.returncode, parse_lines(out), errors)

    def must(self, *arguments, env=None):
        """Returns the output lines of a command, which must succeed."""
        done = self.run(*arguments, env=env)
        if done.status:
            raise RuntimeError(f"{' '.join(arguments)}: {done.status} {done.errors}")
        return done.lines

    def serve(self, *, fault=None, env=None, threads=1, listen="127.0.0.1:0"):
        server = Server(self, fault, env or {}, threads, listen)
        self.servers.append(server)
        return server

    def kill_commands(self):
        for process in list(self.commands):
            process.kill()

    def close(self):
        for server in self.servers:
            if server.running:
                server.kill()
            server.close()
        self.database.drop()


class Server:
    """`stockact serve`; usable after `wait_ready` has returned True."""

    def __init__(self, site, fault, env, threads, listen):
        self.site, self.log_path = site, site.folder / "serve.log"
        self._log = open(self.log_path, "ab")
        command = [*(fault.command() if fault else []), *site.before(), site.program, "serve",
                   "--json", "--listen", listen, "--threads", str(threads)]
        self.process = subprocess.Popen(
            kept(command), env={**site.env, **env}, cwd=site.folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=self._log, text=True)
        self.port = None
        self._local = threading.local()

    @property
    def running(self):
        return self.process.poll() is None

    def wait_ready(self):
        """True once it listens; False if it exited before."""
        with contextlib.ExitStack() as stack:
            timer = threading.Timer(START_SECONDS, self.process.kill)
            stack.callback(timer.cancel)
            timer.start()
            line = self.process.stdout.readline()
        said = json.loads(line) if line.endswith("\n") else {}
        if "listening" not in said:
            self.process.wait()
            return False
        self.port = int(said["listening"].rpartition(":")[2])
        return True

    def request(self, target, key=None, seconds=30):
        """Returns (status, headers, body). Raises OSError or HTTPException without a complete
        response."""
        connection = getattr(self._local, "connection", None)
        if connection and time.monotonic() - self._local.used > KEPT_SECONDS:
            self.close()
            connection = None
        if connection is None:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=seconds)
            self._local.connection = connection
        try:
            connection.request("GET", target, headers={
                "X-Forwarded-For": str(ipaddress.IPv4Address(next(ADDRESSES))),
                **({"Authorization": f"Bearer {key}"} if key else {})})
            response = connection.getresponse()
            answer = response.status, response.headers, response.read()
            self._local.used = time.monotonic()
            return answer
        except (OSError, http.client.HTTPException):
            self.close()
            raise

    def close(self):
        """Closes this thread's connection."""
        connection = getattr(self._local, "connection", None)
        if connection is not None:
            connection.close()
            self._local.connection = None

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.close()
        self._end()

    def _end(self):
        """Waits until it holds no file open any more."""
        self.process.stdout.close()
        self._log.close()

    def stop(self):
        """Sends SIGTERM and returns the exit status."""
        self.close()
        self.process.terminate()
        try:
            status = self.process.wait(STOP_SECONDS)
            self._end()
            return status
        except subprocess.TimeoutExpired:
            self.kill()
            return None

    def log_tail(self, lines=5):
        return "".join(self.log_path.read_text().splitlines(keepends=True)[-lines:])

    def wait_ended(self, seconds):
        """True if it exited by itself within that time."""
        until = time.monotonic() + seconds
        while self.running and time.monotonic() < until:
            time.sleep(0.005)
        return not self.running
