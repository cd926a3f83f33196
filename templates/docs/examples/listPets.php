<?php
$context = stream_context_create(["http" => [
    "header" => "Authorization: Bearer " . getenv("HOMEWARD_KEY"),
]]);
$body = file_get_contents("{{ base_url }}/pets?status=available&limit=2", false, $context);
$animals = json_decode($body, true);
echo json_encode($animals, JSON_PRETTY_PRINT), "\n";
