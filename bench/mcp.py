"""Tool servers and their host (mcp_load.c): ours, and the same tools with the official TypeScript
SDK. Both speak the stateless protocol and call the same API server with a key."""
import json
import os
import pathlib
import subprocess

import fastify
import machine

SOURCE = pathlib.Path(__file__).with_name("mcp")
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
}
LIST_TOOLS = ("tools/list", {})


def call(tool, arguments):
    """Builds a request for Side."""
    return ("tools/call", {"name": tool, "arguments": arguments})


def members(request):
    """The members of a request that are the same in each call."""
    method, params = request
    return json.dumps({"method": method, "params": {**params, "_meta": META}},
                      separators=(",", ":"))[1:-1]


def message(request):
    """A request of 2025-11-25 for POST /mcp, which needs no headers of its own."""
    method, params = request
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})


class Side:
    """A tool server, started for each load. server: the API server that it calls."""

    def __init__(self, name, command, server):
        self.name, self.command = name, list(map(str, command))
        self.server = server
        self.env = {**os.environ, "SVC_API_URL": f"http://127.0.0.1:{server.port}",
                    "SVC_API_KEY": server.key, "NODE_ENV": "production"}

    def ask(self, request):
        """Returns the result of one call."""
        with subprocess.Popen(self.command, env=self.env, text=True, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as process:
            process.stdin.write(f'{{"jsonrpc":"2.0","id":1,{members(request)}}}\n')
            process.stdin.flush()
            answer = json.loads(process.stdout.readline() or "{}")
        if "result" not in answer or answer["result"].get("isError"):
            raise machine.Failed(f"{self.name}, {request}: {answer}")
        return answer["result"]

    def load(self, stand, request, *, wide=1, warm=0, limit=0):
        """Starts the tool server and calls it repeatedly. warm, limit: numbers of calls, or "1s".
        Returns {first_ms, first_cpu_ms, start_rss, start_pss, end_rss, end_pss, bytes}, and for
        a load with calls also {rate, cpu_us, busy, host_busy, p50_us, p99_us}."""
        command = ["taskset", "-c", machine.LOAD_CORE, stand.tool("mcp_load"), machine.SERVER_CORE,
                   wide, warm, limit, stand.write(members(request)), *self.command]
        with stand.watched(self.server.pids):
            run = subprocess.run(list(map(str, command)), env=self.env, capture_output=True,
                                 text=True)
        if run.returncode:
            raise machine.Failed(f"{self.name}: {run.stderr.strip()}")
        figures = json.loads(run.stdout)
        if figures["calls"]:
            figures |= _shares(figures)
        return figures


def _shares(run):
    return {
        "rate": run["calls"] / run["seconds"],
        "cpu_us": run["cpu_seconds"] * 1e6 / run["calls"],
        "busy": run["cpu_seconds"] / run["seconds"],
        "host_busy": run["own_cpu_seconds"] / run["seconds"],
    }


def sdk_version():
    return json.loads((SOURCE / "package.json").read_text())[
        "dependencies"]["@modelcontextprotocol/server"]


def sides(stand, server):
    """Returns (ours, the SDK's). The SDK's has the tools that are called here, with the same
    descriptions."""
    ours = Side("stockact-mcp", [stand.program.with_name("stockact-mcp")], server)
    tools = ours.ask(LIST_TOOLS)["tools"]
    listed = stand.write(json.dumps(tools))
    notice = ours.ask(call("list_trades", {}))["structuredContent"].get("dataNotice", "")
    its = Side("TypeScript SDK", [fastify.find_node(), SOURCE / "server.mjs", listed, notice],
               server)
    shown = {tool["name"]: tool for tool in its.ask(LIST_TOOLS)["tools"]}
    expected = {tool["name"]: tool for tool in tools if tool["name"] in shown}
    if shown != expected:
        raise machine.Failed("the companion lists other tools")
    return ours, its
