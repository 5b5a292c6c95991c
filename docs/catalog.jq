# The canonical layout of catalog.json from any layout of it, line by line. The sha256
# of what this prints is the catalog's digest:
#   jq -r -f docs/catalog.jq pretty.json | sha256sum
def comma($i; $n): if $i + 1 < $n then "," else "" end;
def items: if type == "object" then to_entries | map((.key | tojson) + ":" + (.value | tojson)) else map(tojson) end;
def member($after):
  (.key | tojson) as $key | .value |
  if (type == "object" or type == "array") and length > 0 then
    (if type == "object" then ["{", "}"] else ["[", "]"] end) as [$open, $close] | items as $items |
    $key + ":" + $open, (range($items | length) | $items[.] + comma(.; $items | length)), $close + $after
  else $key + ":" + tojson + $after end;
to_entries as $members | "{", (range($members | length) | . as $i | $members[$i] | member(comma($i; $members | length))), "}"
