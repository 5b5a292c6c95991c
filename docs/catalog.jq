# The canonical layout of catalog.json from any layout of it. The sha256 of what this
# prints is the catalog's digest:
#   jq -r -f docs/catalog.jq pretty.json | sha256sum
def lines: if type == "object" then "{\n" + (to_entries | map((.key | tojson) + ":" + (.value | tojson)) | join(",\n")) + "\n}"
  else "[\n" + (map(tojson) | join(",\n")) + "\n]" end;
"{\n" + (to_entries | map((.key | tojson) + ":" + (.value | if . == {} or . == [] or (type | . != "object" and . != "array") then tojson else lines end)) | join(",\n")) + "\n}"
