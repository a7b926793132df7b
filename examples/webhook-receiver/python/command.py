"""WEBHOOK_SECRET=whsec_... python3 command.py svc|standard HEADERS BODY [NOW]

Verifies one delivery saved in two files. Exits 0 if it is valid, 1 with the reason if not.
"""
import os
import pathlib
import sys

from verify import verify_standard, verify_svc

SCHEMES = {"svc": verify_svc, "standard": verify_standard}


def main(arguments):
    secret = os.environ.get("WEBHOOK_SECRET")
    if len(arguments) not in (3, 4) or arguments[0] not in SCHEMES or not secret:
        print(__doc__.splitlines()[0], file=sys.stderr)
        return 2
    try:
        lines = pathlib.Path(arguments[1]).read_text(encoding="latin-1").splitlines()
        body = pathlib.Path(arguments[2]).read_bytes()
    except OSError as error:
        print(error, file=sys.stderr)
        return 2
    pairs = (line.split(":", 1) for line in lines if ":" in line)
    headers = {name.lower(): value.strip() for name, value in pairs}
    now = int(arguments[3]) if len(arguments) == 4 else None
    try:
        SCHEMES[arguments[0]](secret, headers, body, now)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


sys.exit(main(sys.argv[1:]))
