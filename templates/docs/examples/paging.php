<?php
$context = stream_context_create(["http" => [
    "header" => "Authorization: Bearer " . getenv("HOMEWARD_KEY"),
]]);
$address = "{{ base_url }}/pets?limit=100";
while ($address) {
    $response = fopen($address, "r", false, $context);
    foreach (json_decode(stream_get_contents($response)) as $animal) {
        echo $animal->id, " ", $animal->name, "\n";
    }
    $headers = stream_get_meta_data($response)["wrapper_data"];
    $link = current(preg_grep("/^link:/i", $headers)) ?: "";
    $address = preg_match('/<([^>]+)>; rel="next"/', $link, $found) ? $found[1] : null;
}
