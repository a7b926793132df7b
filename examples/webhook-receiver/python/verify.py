"""Verifies a webhook delivery from stockact. Both functions raise ValueError if it is not valid.

secret: the endpoint's secret as displayed, whsec_...
headers: a dictionary with lower-case names
body: the raw request body, as bytes
now: Unix time in seconds
"""
import base64
import hashlib
import hmac
import re
import time

TOLERANCE_SECONDS = 300


def verify_svc(secret, headers, body, now=None):
    """Checks X-SVC-Signature: t=<t>,v1=<hex>. Key: the whole secret. Text: <t>.<body>."""
    if "x-svc-signature" not in headers:
        raise ValueError("missing header")
    t, signatures = "", []
    for part in headers["x-svc-signature"].split(","):
        if part.startswith("t="):
            t = part[2:]
        elif part.startswith("v1="):
            signatures.append(part[3:])
    digest = hmac.new(secret.encode(), t.encode() + b"." + body, hashlib.sha256).hexdigest()
    _check(t, now, digest, signatures)


def verify_standard(secret, headers, body, now=None):
    """Checks webhook-signature: v1,<base64>. Key: the decoded secret. Text: <id>.<t>.<body>."""
    names = ("webhook-id", "webhook-timestamp", "webhook-signature")
    if any(name not in headers for name in names):
        raise ValueError("missing header")
    delivery_id, t, header = (headers[name] for name in names)
    signatures = [entry[3:] for entry in header.split(" ") if entry.startswith("v1,")]
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{delivery_id}.{t}.".encode() + body
    digest = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    _check(t, now, digest, signatures)


def _check(t, now, expected, signatures):
    if not re.fullmatch("[0-9]{1,12}", t) or not signatures:
        raise ValueError("malformed header")
    if abs((int(time.time()) if now is None else now) - int(t)) > TOLERANCE_SECONDS:
        raise ValueError("timestamp out of tolerance")
    matches = [hmac.compare_digest(s.encode(), expected.encode()) for s in signatures]
    if not any(matches):
        raise ValueError("wrong signature")
