<?php
$animal = ["name" => "Domino", "categoryId" => 2, "status" => "pending"];
$context = stream_context_create(["http" => [
    "method" => "POST",
    "header" => [
        "Authorization: Bearer " . getenv("HOMEWARD_KEY"),
        "Content-Type: application/json",
    ],
    "content" => json_encode($animal),
]]);
$response = fopen("{{ base_url }}/pets", "r", false, $context);
$headers = stream_get_meta_data($response)["wrapper_data"];
$status = explode(" ", $headers[0])[1];
$location = current(preg_grep("/^location:/i", $headers));
echo $status, " ", substr($location, 10), "\n";
echo stream_get_contents($response), "\n";
