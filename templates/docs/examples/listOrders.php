<?php
$context = stream_context_create(["http" => [
    "header" => "Authorization: Bearer " . getenv("HOMEWARD_KEY"),
]]);
$body = file_get_contents("{{ base_url }}/store/orders?status=placed&limit=1", false, $context);
$orders = json_decode($body, true);
echo json_encode($orders, JSON_PRETTY_PRINT), "\n";
