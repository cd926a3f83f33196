<?php
$wanted = http_build_query([
    "species" => "dog,cat",
    "good_with_children" => "yes",
    "limit" => 1,
    "fields" => "name,species,ageGroup,goodWith,shelter,url",
]);
$context = stream_context_create(["http" => [
    "header" => "Authorization: Bearer " . getenv("HOMEWARD_KEY"),
]]);
$body = file_get_contents("{{ base_url }}/directory/animals?$wanted", false, $context);
$animals = json_decode($body, true);
echo json_encode($animals, JSON_PRETTY_PRINT), "\n";
