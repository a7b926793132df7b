"""Time from start to first response, and memory after it."""
import machine
import service
import sizes
from figures import median

TRADES = sizes.trades(1_000_000)
STARTS_MIN = sizes.of(3, smoke=1)


def run(stand):
    database = stand.database(TRADES)
    seconds, cpu, resident, anonymous = [], [], [], []
    for _ in range(max(STARTS_MIN, stand.options.rounds)):
        busy = machine.busy_seconds()
        with service.Server(database) as server:
            used = machine.cpu_seconds(server.pids)
            stand.others.add(machine.busy_seconds() - busy, used, server.ready_seconds)
            seconds.append(server.ready_seconds)
            cpu.append(used)
            resident.append(machine.status_bytes(server.pids[0], "VmRSS"))
            anonymous.append(machine.status_bytes(server.pids[0], "RssAnon"))
    print(f"\n## Start and memory, {TRADES:,} trades\n")
    print(f"Start to first response: {median(seconds):.2f} s "
          f"({min(seconds):.2f}-{max(seconds):.2f}), {median(cpu):.2f} s of one core, warm cache\n")
    print(f"Resident memory after it: {median(resident) / TRADES:.0f} bytes a trade, "
          f"{median(anonymous) / TRADES:.0f} of them anonymous", flush=True)
