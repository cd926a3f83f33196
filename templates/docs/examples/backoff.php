<?php
const LONGEST_WAIT = 120;

function get(string $address, int $tries = 6): array
{
    $context = stream_context_create(["http" => [
        "header" => "Authorization: Bearer " . getenv("HOMEWARD_KEY"),
        "ignore_errors" => true,
        "timeout" => 30,
    ]]);
    for ($attempt = 0; $attempt < $tries; $attempt++) {
        $status = $wait = 0; // 0: refused, reset or timed out
        $response = @fopen($address, "r", false, $context);
        if ($response) {
            $headers = stream_get_meta_data($response)["wrapper_data"];
            $status = (int) explode(" ", $headers[0])[1];
            $retry = current(preg_grep("/^retry-after:/i", $headers)) ?: "";
            $wait = (int) preg_replace("/\D/", "", $retry);
            $body = json_decode(stream_get_contents($response), true);
            if ($status === 200 && is_array($body)) {
                return $body;
            }
        }
        // A longer wait is such as the day's quota: come back later.
        if (!in_array($status, [0, 200, 429, 500, 502, 503]) || $wait > LONGEST_WAIT) {
            break;
        }
        // Never sooner than Retry-After, longer each time, and not
        // at the same moment as everybody else.
        if ($attempt < $tries - 1) {
            usleep((int) ((max($wait, 2 ** $attempt) + mt_rand() / mt_getrandmax()) * 1e6));
        }
    }
    throw new RuntimeException("$address failed with status $status");
}

echo count(get("{{ base_url }}/pets?limit=100")), " animals\n";
