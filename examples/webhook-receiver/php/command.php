<?php
// WEBHOOK_SECRET=whsec_... php command.php svc|standard HEADERS BODY [NOW]
// Verifies one delivery saved in two files. Exits 0 if it is valid, 1 with the reason if not.

require __DIR__ . '/verify.php';

$verify = ['svc' => 'verify_svc', 'standard' => 'verify_standard'][$argv[1] ?? ''] ?? null;
$secret = getenv('WEBHOOK_SECRET');
if (!$verify || $argc < 4 || $argc > 5 || !$secret) {
    fwrite(STDERR, "usage: WEBHOOK_SECRET=whsec_... php command.php svc|standard HEADERS BODY [NOW]\n");
    exit(2);
}

$lines = @file($argv[2]);
$body = @file_get_contents($argv[3]);
if ($lines === false || $body === false) {
    fwrite(STDERR, error_get_last()['message'] . "\n");
    exit(2);
}
$headers = [];
foreach ($lines as $line) {
    if (str_contains($line, ':')) {
        [$name, $value] = explode(':', $line, 2);
        $headers[strtolower($name)] = trim($value);
    }
}
try {
    $verify($secret, $headers, $body, isset($argv[4]) ? (int)$argv[4] : null);
} catch (RuntimeException $error) {
    fwrite(STDERR, $error->getMessage() . "\n");
    exit(1);
}
