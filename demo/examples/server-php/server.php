<?php
// Sells orders by payment link, with PHP alone: `php -S 127.0.0.1:8000 server.php`.
// Environment: CHECKOUT_URL, API_KEY, API_SECRET, WEBHOOK_SECRET, SHOP_URL, and ORDERS, a folder for what is paid.
$orders = ['1042' => '25.00']; // Your database: what each order costs, in whole tokens.

function pay_link(string $order_id, string $amount): string
{
    $keys = ['Content-Type: application/json', 'X-API-Key: ' . getenv('API_KEY'), 'X-API-Secret: ' . getenv('API_SECRET')];
    $body = json_encode(['orderId' => $order_id, 'amount' => $amount, 'callbackUrl' => getenv('SHOP_URL') . '/webhooks']);
    $http = ['method' => 'POST', 'header' => $keys, 'content' => $body, 'timeout' => 30, 'ignore_errors' => true];
    $sent = file_get_contents(getenv('CHECKOUT_URL') . '/api/v1/links', false, stream_context_create(['http' => $http]));
    $answer = json_decode((string) $sent, true);
    return $answer['link']['url'] ?? throw new RuntimeException($answer['message'] ?? 'no answer');
}

function is_signed(string $body): bool
{
    [$id, $at, $given] = array_map(fn ($name) => $_SERVER["HTTP_WEBHOOK_$name"] ?? '', ['ID', 'TIMESTAMP', 'SIGNATURE']);
    $secret = (string) getenv('WEBHOOK_SECRET');
    // Anybody could sign with an empty one.
    if (!preg_match('/^whsec_.{32}/', $secret)) {
        http_response_code(500);
        exit('WEBHOOK_SECRET must be the webhook secret, whsec_…');
    }
    $key = base64_decode(substr($secret, 6));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$at.$body", $key, true));
    $fits = array_filter(explode(' ', $given), fn ($one) => hash_equals($expected, $one));
    return abs(time() - (int) $at) < 300 && $fits !== [];
}

[, $page, $order_id] = array_pad(explode('/', parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH)), 3, '');
if ($page === 'buy') {
    header('Location: ' . pay_link($order_id, $orders[$order_id]), true, 303);
} elseif ($page === 'orders') {
    echo is_file(getenv('ORDERS') . '/' . (int) $order_id) ? 'paid' : 'open';
} elseif (!is_signed($body = file_get_contents('php://input'))) {
    http_response_code(401);
} else {
    $data = json_decode($body, true)['data'];
    // Whoever has the public key can pay the order by no link, in as many of a token that is worth less.
    $is_ours = isset($data['linkId'], $orders[$data['orderId']]) && $orders[$data['orderId']] === $data['amount'];
    if ($is_ours && $data['outcome'] === 'paid' && !$data['isTest']) touch(getenv('ORDERS') . '/' . (int) $data['orderId']);
    http_response_code(204);
}
