<?php
$context = stream_context_create(["http" => [
    "header" => "Authorization: Bearer " . getenv("HOMEWARD_KEY"),
]]);
$body = file_get_contents("{{ base_url }}/categories", false, $context);
$categories = json_decode($body, true);
echo json_encode($categories, JSON_PRETTY_PRINT), "\n";
