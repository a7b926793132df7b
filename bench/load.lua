-- The script that wrk runs (script/bench). Sends the one request of its command line or, with a
-- file of targets after "--", the targets in random order, repeatedly, starting at a different one
-- in each run. A line of the file is a target or, with a space between them, a target and the key
-- that asks for it. With a number after the file, which may be "", it ends after about so many
-- responses. With another file after that, it posts what is in it, as JSON. Prints the counts as one
-- line of JSON at the end.

-- wrk sleeps until its time is over or SIGINT comes. It ignores the signal before it sleeps, so
-- each response from `count` to twice as many sends one.
local function end_after(count)
    local ffi = require("ffi")
    ffi.cdef("int getpid(void); int kill(int pid, int signal);")
    local responses = 0
    response = function()
        responses = responses + 1
        if responses >= count then
            ffi.C.kill(ffi.C.getpid(), 2)
        end
        if responses >= 2 * count then
            wrk.thread:stop()
        end
    end
end

function init(args)
    if tonumber(args[2]) then
        end_after(tonumber(args[2]))
    end
    if args[3] then
        wrk.method, wrk.body = "POST", io.open(args[3]):read("a")
        wrk.headers["Content-Type"] = "application/json"
    end
    if (args[1] or "") == "" then
        return
    end
    local requests = {}
    for line in io.lines(args[1]) do
        local target, key = line:match("^(%S+) ?(%S*)$")
        if key ~= "" then
            wrk.headers["Authorization"] = "Bearer " .. key
        end
        requests[#requests + 1] = wrk.format(nil, target)
    end
    math.randomseed(os.time())
    for i = #requests, 2, -1 do
        local j = math.random(i)
        requests[i], requests[j] = requests[j], requests[i]
    end
    local at, n = 0, #requests
    request = function()
        at = at % n + 1
        return requests[at]
    end
end

function done(summary, latency)
    local errors = summary.errors
    io.write(string.format(
        '{"seconds":%.6f,"requests":%d,"bytes":%d,"p50_us":%d,"p99_us":%d,' ..
            '"refused":%d,"broken":%d}\n',
        summary.duration / 1e6, summary.requests, summary.bytes, latency:percentile(50),
        latency:percentile(99), errors.status,
        errors.connect + errors.read + errors.write + errors.timeout))
end
