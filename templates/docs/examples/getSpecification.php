<?php
$document = json_decode(file_get_contents("{{ base_url }}/openapi.json"));
echo json_encode($document, JSON_PRETTY_PRINT), "\n";
