# Answers the questions of a file from the JSON projection: catalog.json for rows, and one file for each operation.

($catalog[0]) as $c
| (reduce inputs as $of ({}; .[$of.operation] = ($of.models | map({key: .id, value: .}) | from_entries))) as $by
| ($c.models | map({key: .id, value: .}) | from_entries) as $rows

# A moment in seconds: a date is its midnight in UTC.
| def moment:
    if test("^[0-9-]{10}$") then . + "T00:00:00Z" else . end
    | capture("^(?<t>.{19})(\\.[0-9]+)?(?<zone>Z|[+-][0-9:]{5})$")
    | (.t + "Z" | fromdateiso8601)
      - (.zone | if . == "Z" then 0 else ((.[1:3] | tonumber) * 3600 + (.[4:6] | tonumber) * 60) * (if .[0:1] == "-" then -1 else 1 end) end);

  def contract($op; $row): $by[$op][$row] // {} | .operations // {} | .[$op];

  def state($at):
    (.lifecycle // {}) as $life
    | [$life.ends_on, $life.announced_end | values | moment] as $ends
    | if any($ends[]; . <= $at) then "ended" elif $life.deprecated then "deprecated" elif $ends != [] then "announced" else "active" end;

  # The entry that holds for a meter: of those that fit, the one that states more; null if none does, or two that do not compare.
  def entry($q):
    (.price // []) as $all
    | ($q.call // {}) as $call
    | any($all[]; .region) as $regional
    | [$all[] | select(.meter == $q.meter and (.service_tier // "standard") == ($call.service_tier // "standard"))] as $mine
    | ([$mine[] | select(.cache_lifetime != null and .cache_lifetime == $call.cache_lifetime)] | if . == [] then [$mine[] | select(.cache_lifetime == null)] else . end) as $shelf
    | if $shelf == [] and $mine != [] and $call.cache_lifetime == null then {why: "no_lifetime"}
      elif $call.at == null and any($shelf[]; .valid_from or .valid_until or .window) then {why: "no_time"}
      else
        [$shelf[] | select(
          ((.operation // $q.operation) == $q.operation)
          and ((.variant // $call.variant) == $call.variant)
          and (($regional | not) or .region == $call.region)
          and ($q.input_tokens // 0) > (.above_input_tokens // -1))]
        | sort_by([.above_input_tokens // -1, ([.operation, .variant | values] | length)])
        | last // {why: "not_priced"}
        | if .dynamic then {why: "dynamic"} elif .currency then {why: "other_currency"} else . end
      end;

  def no($why): {not: $why};
  def is: {answer: .};

  def answer:
    . as $q
    | if .kind == "catalog" then {as_of: $c.as_of, rows: ($c.models | length), providers: ($c.providers | length)}[.name] | is
      elif .kind == "routes" then $by[.operation] | keys_unsorted | is
      elif .kind == "serves" then contract(.operation; .row) != null | is
      elif .kind == "operations" then
        $rows[.row] as $row
        | (if $row == null then null else [("text_generation", "embedding", "decision_evaluation", "reranking", "moderation") | select($row.operations[.])] end) | is
      elif .kind == "fact" then
        ($rows[.row] // {}) as $row
        | (if .name | endswith("_tokens") then $row.limits elif .name | IN("successor", "ends_on", "announced_end") then $row.lifecycle else $row end)
        | (. // {})[$q.name] | is
      elif .kind == "contract" then
        contract(.operation; .row) as $of
        | (if $of == null then null
           elif .name == "protocols" then [$of.protocol[] | if type == "string" then . else .protocol end]
           elif .name == "support" then $of.evidence.support
           elif .name == "dimensions" then $of.dimensions.default
           else $of[.name] end) | is
      elif .kind == "setting" then
        contract(.operation; .row) as $of
        | (if $of == null then null else ($of.settings // {})[.name] | if . == null then "unknown" elif type == "string" then . else "ruled" end end) | is
      elif .kind == "alias" then (($c.aliases // {})[.name] // {})[.operation].row | is
      elif .kind == "default" then ((($c.defaults // {})[.operation] // {})[.purpose] // {})[.provider] | is
      elif .kind == "state" then (.at | moment) as $at | ($rows[.row] | if . == null then null else state($at) end) | is
      elif .kind == "price" then
        if .call.at then no("which price holds at a moment is a program, not a look-up")
        else
          $rows[.row] as $row
          | (($row | entry($q)) | if .why == "not_priced" and $q.meter == "reasoning_token" then $row | entry($q + {meter: "output_token"}) else . end)
          | (if .why then {unknown: .why} elif .usd_per_million then {usd_per_million} else {usd_per_unit} end) | is
        end
      elif .kind == "cost" then no("jq computes in binary fractions, so no exact amount")
      else no("judging a query is a program, not a look-up")
      end;

{answers: [$file[0].questions[] | {id} + answer]}
