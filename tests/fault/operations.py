"""The operations. Each is written to the ledger before it starts and after it is acknowledged."""
import http.client

OPERATOR = "operator@example.org"


class Driver:
    """Operates one site. Further arguments (`fault`) are passed to Site.run."""

    def __init__(self, site, ledger, server=None):
        self.site, self.ledger, self.server = site, ledger, server

    def _command(self, operation, *arguments, **how):
        done = self.site.run(*arguments, **how)
        for line in done.lines:
            if "error" not in line:
                self.ledger.acknowledge(operation, line)
        operation.killed = done.killed
        if done.status and not done.killed:
            self.ledger.refuse(operation, done.errors.strip())
        return operation

    def account(self, email, plan="den", **how):
        return self._command(self.ledger.intend("account", email=email, plan=plan),
                             "accounts", "create", "--email", email, "--plan", plan, **how)

    def plan(self, email, plan, **how):
        return self._command(self.ledger.intend("plan", email=email, plan=plan),
                             "accounts", "set-plan", "--email", email, "--plan", plan, **how)

    def mint(self, email, name, **how):
        return self._command(self.ledger.intend("mint", email=email, key_name=name),
                             "keys", "mint", "--email", email, "--name", name, **how)

    def revoke(self, key_id, **how):
        return self._command(self.ledger.intend("revoke", key_id=key_id),
                             "keys", "revoke", "--id", key_id, **how)

    def publish(self, count=1, rows=3, **how):
        return self._command(self.ledger.intend("publish", count=count, rows=rows),
                             "demo", "--publish", str(count), "--rows", str(rows), **how)

    def withdraw(self, what, reason="it was published twice", **how):
        return self._command(self.ledger.intend("withdraw", what=what, why=reason),
                             "withdraw", what, "--by", OPERATOR, "--reason", reason, **how)

    def reinstate(self, what, **how):
        return self._command(self.ledger.intend("reinstate", what=what),
                             "reinstate", what, "--by", OPERATOR, "--reason", "it was right", **how)

    def set_filer(self, filing, member, **how):
        return self._command(self.ledger.intend("set_filer", what=filing, member=member),
                             "review", "set-filer", filing, member, "--by", OPERATOR,
                             "--reason", "another member filed it", **how)

    def request(self, key, target="/api/v1/trades?limit=1"):
        """`key` is the response to minting."""
        operation = self.ledger.intend("request", key_id=key["id"], target=target)
        try:
            status, _, _ = self.server.request(target, key["key"])
            self.ledger.acknowledge(operation, status)
        except (OSError, http.client.HTTPException):
            pass  # no response: the operation stays open
        return operation
