<?php
$context = stream_context_create(["http" => [
    "header" => "Authorization: Bearer " . getenv("HOMEWARD_KEY"),
]]);
$address = "{{ base_url }}/directory/animals/" . getenv("PET_ID") . "?fields=name,photos&include=shelter";
$animal = json_decode(file_get_contents($address, false, $context), true);
echo json_encode($animal, JSON_PRETTY_PRINT), "\n";
