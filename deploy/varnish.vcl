# Varnish in front of stockact on the same machine: keeps the pages that visitors without an account
# see, and drops each when it changes. A proxy for TLS (nginx.conf or haproxy.cfg) stands in front of
# Varnish. Settings of stockact:
#
#     STOCKACT_LISTEN=unix:/run/stockact/http.sock
#     STOCKACT_TRUSTED_PROXIES=unix
#     STOCKACT_PURGE_URL=http://127.0.0.1:6081/purge
vcl 4.1;

import std;

backend stockact {
    .path = "/run/stockact/http.sock";
}

# This machine: stockact, which purges, and the proxy for TLS.
acl here {
    "127.0.0.1";
    "::1";
}

sub vcl_recv {
    # Varnish has added the address of its client to X-Forwarded-For. A request that has two came
    # through the proxy for TLS: it is not from stockact.
    if (req.method == "POST" && req.url == "/purge") {
        if (client.ip !~ here || req.http.X-Forwarded-For ~ ",") {
            return (synth(403));
        }
        # " a b" becomes the expression of the pages with one of these keys
        if (!req.http.Surrogate-Key ||
            !std.ban("obj.http.Surrogate-Key ~ (^|[[:space:]])(" +
                regsuball(req.http.Surrogate-Key, "[[:space:]]+", "|") + ")([[:space:]]|$)")) {
            return (synth(400));
        }
        return (synth(204));
    }

    # Tells stockact who asks. A caller cannot forge it: only the last address counts.
    if (client.ip ~ here && req.http.X-Forwarded-For ~ ",") {
        set req.http.X-Forwarded-For = regsub(req.http.X-Forwarded-For, "^.*?([^, ]+), *[^,]*$", "\1");
    } else {
        set req.http.X-Forwarded-For = client.ip;
    }

    # Metrics are for this machine and STOCKACT_METRICS_ALLOW, never for the public.
    if (req.url ~ "^/metrics([?]|$)") {
        return (synth(404));
    }
    # The API counts each request, and signed-in visitors have pages of their own.
    if ((req.method != "GET" && req.method != "HEAD") || req.http.Authorization ||
        req.http.Cookie || req.url ~ "^/api/") {
        return (pass);
    }
    return (hash);
}

sub vcl_backend_response {
    # Only what stockact says a shared cache may keep.
    if (beresp.http.Cache-Control !~ "s-maxage=|immutable") {
        set beresp.uncacheable = true;
        return (deliver);
    }
    # This is about one request.
    unset beresp.http.X-Request-Id;
    return (deliver);
}

sub vcl_deliver {
    unset resp.http.Surrogate-Key;
    unset resp.http.Via;
    unset resp.http.X-Varnish;
    if (obj.hits > 0) {
        set resp.http.X-Cache = "hit";
    } else {
        set resp.http.X-Cache = "miss";
    }
}
