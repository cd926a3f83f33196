<?php
$context = stream_context_create(["http" => [
    "header" => "Authorization: Bearer " . getenv("HOMEWARD_KEY"),
]]);
$body = file_get_contents("{{ base_url }}/changes?limit=2", false, $context);
$changes = json_decode($body, true);
echo json_encode($changes, JSON_PRETTY_PRINT), "\n";
