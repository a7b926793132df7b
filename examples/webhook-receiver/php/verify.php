<?php
// Verifies a delivery of stockact. Both functions throw when it is not to be trusted.
//
// $secret: the text that the endpoint shows, whsec_...; $headers: an array with lower-case names;
// $body: the bytes as they came, file_get_contents('php://input'); $now: unix seconds.

const TOLERANCE_SECONDS = 300;

/** X-SVC-Signature: t=<t>,v1=<hex>, over <t>.<body>, keyed with the whole secret. */
function verify_svc(string $secret, array $headers, string $body, ?int $now = null): void
{
    if (!isset($headers['x-svc-signature'])) {
        throw new RuntimeException('missing header');
    }
    $t = '';
    $signatures = [];
    foreach (explode(',', $headers['x-svc-signature']) as $part) {
        if (str_starts_with($part, 't=')) {
            $t = substr($part, 2);
        } elseif (str_starts_with($part, 'v1=')) {
            $signatures[] = substr($part, 3);
        }
    }
    check($t, $now ?? time(), hash_hmac('sha256', "$t.$body", $secret), $signatures);
}

/** webhook-signature: v1,<base64>, over <id>.<t>.<body>, keyed with what the secret encodes. */
function verify_standard(string $secret, array $headers, string $body, ?int $now = null): void
{
    foreach (['webhook-id', 'webhook-timestamp', 'webhook-signature'] as $name) {
        if (!isset($headers[$name])) {
            throw new RuntimeException('missing header');
        }
    }
    $t = $headers['webhook-timestamp'];
    $signatures = [];
    foreach (explode(' ', $headers['webhook-signature']) as $entry) {
        if (str_starts_with($entry, 'v1,')) {
            $signatures[] = substr($entry, 3);
        }
    }
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $sum = hash_hmac('sha256', "{$headers['webhook-id']}.$t.$body", $key, true);
    check($t, $now ?? time(), base64_encode($sum), $signatures);
}

function check(string $t, int $now, string $expected, array $signatures): void
{
    if (!preg_match('/^[0-9]{1,12}$/D', $t) || !$signatures) {
        throw new RuntimeException('malformed header');
    }
    if (abs($now - (int)$t) > TOLERANCE_SECONDS) {
        throw new RuntimeException('timestamp out of tolerance');
    }
    foreach ($signatures as $signature) {
        if (hash_equals($expected, $signature)) {
            return;
        }
    }
    throw new RuntimeException('wrong signature');
}
