curl "{{ base_url }}/animals?species=dog,cat&good_with_children=yes&limit=1&fields=name,species,ageGroup,goodWith,fee,url" \
  -H "Authorization: Bearer $HOMEWARD_KEY"
