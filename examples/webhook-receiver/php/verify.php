<?php
// Verifies a webhook delivery from stockact. Both functions throw if the delivery is not valid.
//
// $secret: the endpoint's secret as displayed, whsec_...
// $headers: an array with lower-case names
// $body: the raw request body, file_get_contents('php://input')
// $now: Unix time in seconds

const TOLERANCE_SECONDS = 300;

/** Checks X-SVC-Signature: t=<t>,v1=<hex>. Key: the whole secret. Text: <t>.<body>. */
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

/** Checks webhook-signature: v1,<base64>. Key: the decoded secret. Text: <id>.<t>.<body>. */
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
