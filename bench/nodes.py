"""Several servers on one PostgreSQL and one Redis, all on the server's core."""
import concurrent.futures
import json
import os
import socket
import subprocess
import time

import machine
import postgres
import service
import sizes

# A crash of the machine would lose the newest changes: disks are not measured here.
SETTINGS = ("fsync=off", "max_wal_size=8GB", "checkpoint_timeout=1h", "autovacuum=off",
            "maintenance_work_mem=256MB")
ACCOUNTS, KEYS = sizes.of((25, 8), smoke=(1, 2))


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Redis:
    def __init__(self):
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}"
        self.process = machine.spawn(
            ["redis-server", "--port", self.port, "--bind", "127.0.0.1", "--save", "",
             "--appendonly", "no"], stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + machine.PATIENCE_SECONDS
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except OSError:
                if time.monotonic() > deadline:
                    raise machine.Failed("Redis did not start") from None
                time.sleep(0.02)

    def cpu_seconds(self):
        return machine.cpu_seconds([self.process.pid])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        machine.stop(self.process)


class Site:
    """A PostgreSQL database with invented trades and one key, a Redis, and the servers on both."""

    def __init__(self, stand, trades):
        folder = stand.folder / "postgres"
        folder.mkdir()
        self.stand, self.program, self.folder = stand, stand.program, folder
        self.postgres = stand.enter(postgres.Postgres(folder, *SETTINGS))
        self.url = self.postgres.url
        self.redis = stand.enter(Redis())
        secret = stand.folder / "secret"
        secret.write_bytes(os.urandom(32))
        secret.chmod(0o600)
        self.env = {"STOCKACT_DATABASE": self.url, "STOCKACT_SECRET_KEY_FILE": str(secret)}
        self.run("demo", "--trades", trades, "--as-of", service.AS_OF)
        self.keys = self._mint()
        self.key = self.keys[0]
        self.postgres.psql("-c", "VACUUM ANALYZE")
        self.started = 0

    def _mint(self):
        """The keys of many callers."""
        keys = []
        for number in range(ACCOUNTS):
            email = f"bench{number}@example.org"
            self.run("accounts", "create", "--email", email, "--plan", "den")
            keys += [self.run("keys", "mint", "--email", email, "--name", f"key{each}")[0]["key"]
                     for each in range(KEYS)]
        return keys

    @property
    def path(self):
        """Of the log of the newest server."""
        return self.folder.parent / f"node{self.started}.db"

    def start(self, *arguments):
        """Starts a command on the load's core."""
        command = ["taskset", "-c", machine.LOAD_CORE, self.program, *arguments, "--json"]
        return subprocess.Popen(list(map(str, command)), env={**os.environ, **self.env},
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run(self, *arguments):
        out = service.finish(self.start(*arguments), arguments)
        return [json.loads(line) for line in out.splitlines()]

    def server(self, redis=True):
        """Starts a server, with Redis or without."""
        self.started += 1
        env = {**self.env, "STOCKACT_SWEEP_AT": "off", "STOCKACT_SAMPLE_ROWS": "0"}
        if redis:
            env["STOCKACT_REDIS"] = self.redis.url
        return service.Server(self, env=env)

    def watched(self, servers):
        """The CPU time of these servers, of PostgreSQL and of Redis is ours."""
        ours = [*servers, self.postgres, self.redis]
        return self.stand.watched([one.process.pid for one in ours])


def cpu_of(servers):
    return machine.cpu_seconds([server.process.pid for server in servers])


def load(site, servers, target, headers, *, connections, targets=None):
    """A closed loop on all servers at once: {cpu_us, rps} of all together, and redis_us, the CPU
    time of Redis for a request."""
    def one(server):
        return machine.load(server, target, headers, seconds=site.stand.options.seconds,
                            connections=connections // len(servers), targets=targets)

    before = site.redis.cpu_seconds()
    with site.watched(servers), concurrent.futures.ThreadPoolExecutor() as threads:
        runs = list(threads.map(one, servers))
    requests = sum(run["requests"] for run in runs)
    return {
        "rps": sum(run["rps"] for run in runs),
        "cpu_us": sum(run["cpu_us"] * run["rps"] for run in runs) / sum(run["rps"] for run in runs),
        "redis_us": (site.redis.cpu_seconds() - before) * 1e6 / requests,
        "refused": sum(run["refused"] for run in runs),
    }
