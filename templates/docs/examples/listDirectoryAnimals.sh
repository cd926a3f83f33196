curl "{{ base_url }}/directory/animals?species=dog,cat&good_with_children=yes&limit=1&fields=name,species,ageGroup,goodWith,shelter,url" \
  -H "Authorization: Bearer $HOMEWARD_KEY"
