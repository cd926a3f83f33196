<?php
$context = stream_context_create(["http" => [
    "header" => "Authorization: Bearer " . getenv("HOMEWARD_KEY"),
]]);
$response = fopen("{{ base_url }}/pets/" . getenv("PET_ID"), "r", false, $context);
$headers = stream_get_meta_data($response)["wrapper_data"];
$status = explode(" ", $headers[0])[1];
echo $status, " ", current(preg_grep("/^sunset:/i", $headers)), "\n";
echo stream_get_contents($response), "\n";
