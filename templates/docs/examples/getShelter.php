<?php
$context = stream_context_create(["http" => [
    "header" => "Authorization: Bearer " . getenv("HOMEWARD_KEY"),
]]);
$body = file_get_contents("{{ base_url }}/directory/shelters/" . getenv("SHELTER_ID"), false, $context);
$shelter = json_decode($body, true);
echo json_encode($shelter, JSON_PRETTY_PRINT), "\n";
