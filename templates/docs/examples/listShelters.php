<?php
$context = stream_context_create(["http" => [
    "header" => "Authorization: Bearer " . getenv("HOMEWARD_KEY"),
]]);
$body = file_get_contents("{{ base_url }}/directory/shelters?country=US&limit=1", false, $context);
$shelters = json_decode($body, true);
echo json_encode($shelters, JSON_PRETTY_PRINT), "\n";
