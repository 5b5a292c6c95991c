#!/usr/bin/env python3
"""A second opinion on the answers: reads the TOML sources by itself and answers what needs no settings.

Usage: oracle.py QUESTIONS.json ... checks the answers in the files, prints those that it finds otherwise and exits with 1 if there are
any. It shares nothing with the compiler: no code, no generated file, no order of evaluation. Amounts are fractions. What it has no rule for
(settings, wires, data policies) it leaves alone and counts.
"""
import datetime
import fnmatch
import json
import pathlib
import sys
import tomllib
from fractions import Fraction

HERE = pathlib.Path(__file__).resolve().parent
AS_OF = "2026-11-30"
OPERATIONS = ["text_generation", "embedding", "decision_evaluation", "reranking", "moderation"]
USUAL = {
    "text_generation": {"input_token": 3000, "output_token": 1000},
    "embedding": {"input_token": 1000},
    "decision_evaluation": {"input_token": 2000, "output_token": 100},
    "reranking": {"input_token": 20000, "search_unit": 1},
    "moderation": {"input_token": 1000},
}
SUPPORTS = ["declared", "documented", "probed"]
STATES = ["active", "announced", "deprecated", "ended"]
TIERS = ["frontier", "reasoning", "mid", "small"]
DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]


class Skip(Exception):
    """There is no rule here for what is asked."""


def moment(text):
    """A date is its midnight in UTC."""
    at = datetime.datetime.fromisoformat(text)
    return at if at.tzinfo else at.replace(tzinfo=datetime.timezone.utc)


def spelled(amount):
    """A fraction whose denominator divides a power of ten, without an exponent."""
    places = 0
    while (amount * 10**places).denominator != 1:
        places += 1
    digits = str((amount * 10**places).numerator).rjust(places + 1, "0")
    return digits[: len(digits) - places] + ("." + digits[-places:] if places else "")


def merged(low, high):
    out = dict(low)
    for key, value in high.items():
        both = isinstance(value, dict) and isinstance(out.get(key), dict)
        out[key] = merged(out[key], value) if both else value
    return out


class Catalog:
    def __init__(self, layers):
        self.rows, self.providers, self.aliases, self.defaults, rules = {}, {}, {}, {}, []
        for layer in layers:
            for path in sorted(layer.rglob("*.toml")):
                doc = tomllib.loads(path.read_text(encoding="utf-8"))
                capability = "capability_sources" in path.parts
                for name, value in doc.get("provider", {}).items():
                    if capability:
                        rules += [(name, rule) for rule in value]
                    else:
                        self.providers[name] = merged(self.providers.get(name, {}), value)
                for row in doc.get("model", []):
                    rid = row["provider"] + "/" + row["wire_model"]
                    self.rows[rid] = merged(self.rows.get(rid, {}), row)
                self.aliases = merged(self.aliases, doc.get("alias", {}))
                self.defaults = merged(self.defaults, doc.get("default", {}))
                for gone in doc.get("remove", []):
                    self.rows.pop(gone["row"], None)
        self.contracts = {rid: self.contracts_of(row, rules) for rid, row in self.rows.items()}
        for row in self.rows.values():
            for field in ("limits", "price", "lifecycle") if "current" in row else ():
                row.setdefault(field, self.rows[row["current"]].get(field))
                if row[field] is None:
                    del row[field]
        if any("inherits" in row for row in self.rows.values()):
            for row in self.rows.values():
                for field in row.get("inherits", {}).get("fields", []):
                    row.setdefault(field, self.rows[row["inherits"]["from"]].get(field))

    @staticmethod
    def contracts_of(row, rules):
        """Exact rules grant; patterns only add to what is granted."""
        own = [rule for provider, rule in rules if provider == row["provider"]]
        out = {}
        for rule in own:
            exact = row["wire_model"] in rule.get("models", []) or rule.get("model_match") == row["wire_model"]
            if exact and "*" not in rule.get("model_match", "") and "model_version" not in rule:
                out = merged(out, rule.get("operations", {}))
        for rule in own:
            pattern = rule.get("model_match", "")
            if ("*" in pattern or "?" in pattern) and "model_version" not in rule and fnmatch.fnmatchcase(row["wire_model"], pattern):
                for name, more in rule.get("operations", {}).items():
                    if name in out:
                        out[name] = merged(more, out[name])
        change = row.get("change_operations")
        return {name: value for name, value in out.items() if not change or name in change["to"]}

    def ids(self, operation):
        return sorted((rid for rid in self.rows if operation in self.contracts[rid]), key=lambda rid: rid.encode())

    def state(self, rid, at):
        life = self.rows[rid].get("lifecycle", {})
        ends = [moment(life[key]) for key in ("ends_on", "announced_end") if key in life]
        if any(end <= at for end in ends):
            return "ended"
        return "deprecated" if life.get("deprecated") else "announced" if ends else "active"

    # Prices.

    def entry(self, rid, operation, meter, call, tokens, tool="", lifetime=""):
        """The entry that holds, or why none does."""
        prices = self.rows[rid].get("price", [])
        standard = lambda tier: "" if tier in (None, "standard") else tier
        at = moment(call["at"]) if call.get("at") else None
        regional = any("region" in price for price in prices)
        mine = [p for p in prices if p["meter"] == meter and standard(p.get("service_tier")) == standard(call.get("service_tier"))]
        shelf = [p for p in mine if lifetime and p.get("cache_lifetime") == lifetime] or [p for p in mine if "cache_lifetime" not in p]
        borrow = lambda: self.entry(rid, operation, "output_token", call, tokens, tool, lifetime) if meter == "reasoning_token" else (None, "not_priced")
        if not shelf:
            return (None, "no_lifetime") if mine and not lifetime else borrow()
        timed = ("valid_from", "valid_until", "window")
        if at is None and any(key in p for p in shelf for key in timed):
            return None, "no_time"

        def fits(p):
            return (
                p.get("operation", operation) == operation
                and p.get("variant", call.get("variant")) == call.get("variant")
                and p.get("tool", tool) == tool
                and (not regional or p.get("region", "") == call.get("region", ""))
                and tokens > p.get("above_input_tokens", -1)
                and ("valid_from" not in p or moment(p["valid_from"]) <= at)
                and ("valid_until" not in p or at < moment(p["valid_until"]))
                and ("window" not in p or within(p["window"], at))
            )

        def stated(p):
            return {key for key in ("operation", "variant", "tool", "cache_lifetime", *timed) if key in p}

        def beats(a, b):
            high, low = a.get("above_input_tokens", -1), b.get("above_input_tokens", -1)
            return stated(a) >= stated(b) and high >= low and (stated(a) > stated(b) or high > low)

        fitting = [p for p in shelf if fits(p)]
        if not fitting:
            return borrow()
        for p in fitting:
            if all(p is other or beats(p, other) for other in fitting):
                return p, "dynamic" if p.get("dynamic") else "other_currency" if "currency" in p else None
        return None, "overlapping"

    def lines(self, rid, operation, usage, call):
        """Each line with its exact cost, or why that is unknown."""
        count = [dict(line) for line in usage.get("lines", [])]
        tokens = sum(l["count"] for l in count if l["meter"].endswith("_token") and not l["meter"].startswith(("output_", "reasoning_", "citation_")))
        asked = count + [{"meter": meter, "count": None} for meter in usage.get("unknown", [])]
        priced = {p["meter"] for p in self.rows[rid].get("price", [])}
        if asked and "request" in priced and all(l["meter"] != "request" for l in asked):
            asked.append({"meter": "request", "count": 1})
        tiers = any("above_input_tokens" in p for p in self.rows[rid].get("price", []))
        uncounted_input = any(m.startswith(("input_", "cache_")) and m.endswith("_token") for m in usage.get("unknown", []))
        for l in asked:
            p, why = self.entry(rid, operation, l["meter"], call, tokens, l.get("tool", ""), l.get("cache_lifetime") or call.get("cache_lifetime", ""))
            if l["count"] == 0:
                yield l["meter"], Fraction(0), None
                continue
            if not why and tiers and uncounted_input and any(q["meter"] == l["meter"] and "above_input_tokens" in q for q in self.rows[rid]["price"]):
                why = "input_uncounted"
            if why:
                yield l["meter"], None, why
                continue
            one = Fraction(p["usd_per_million"]) / 10**6 if "usd_per_million" in p else Fraction(p["usd_per_unit"])
            if l["count"] is None:
                yield l["meter"], Fraction(0) if one == 0 else None, None if one == 0 else "not_counted"
            else:
                yield l["meter"], one * l["count"], None

    def total(self, rid, operation, usage, call):
        meters = self.contracts[rid][operation].get("meters")
        if meters is not None:
            lines = [l for l in usage.get("lines", []) if l["meter"] in meters]
            unknown = [m for m in usage.get("unknown", []) if m in meters]
            if not lines and not unknown and "request" in meters:
                lines = [{"meter": "request", "count": 1}]
            usage = {"lines": lines, "unknown": unknown}
        found = list(self.lines(rid, operation, usage, lasting(self.contracts[rid][operation], call)))
        return sum(cost for _, cost, _ in found) if found and all(why is None for _, _, why in found) else None


def within(window, at):
    """Whether a moment lies in a stretch of the week, looking at each day that the stretch may have begun on."""
    sign = -1 if window["utc_offset"][0] == "-" else 1
    minutes = lambda hhmm: int(hhmm[:2]) * 60 + int(hhmm[3:])
    local = at.astimezone(datetime.timezone(sign * datetime.timedelta(minutes=minutes(window["utc_offset"][1:]))))
    start, end = minutes(window["start"]), minutes(window["end"])
    length = end - start if end > start else end - start + 24 * 60
    for back in (0, 1):
        day = (local - datetime.timedelta(days=back)).replace(hour=0, minute=0, second=0, microsecond=0)
        since = (local - day).total_seconds() / 60 - start
        if DAYS[day.weekday()] in window["days"] and 0 <= since < length:
            return True
    return False


def answer(c, q):
    operation, rid, kind = q.get("operation"), q.get("row"), q["kind"]
    row = c.rows.get(rid)
    contract = c.contracts.get(rid, {}).get(operation)
    if kind == "catalog":
        return {"as_of": AS_OF, "rows": len(c.rows), "providers": len(c.providers)}[q["name"]]
    if kind == "routes":
        return c.ids(operation)
    if kind == "serves":
        return contract is not None
    if kind == "operations":
        return None if row is None else [name for name in OPERATIONS if name in c.contracts[rid]]
    if kind == "fact":
        name = q["name"]
        table = "lifecycle" if name in ("successor", "ends_on", "announced_end") else "limits" if name.endswith("_tokens") else None
        return None if row is None else (row.get(table, {}) if table else row).get(name)
    if kind == "state":
        return None if row is None else c.state(rid, moment(q["at"]))
    if kind == "alias":
        name = q["name"]
        while name is not None and "/" not in name:
            name = c.aliases.get(name, {}).get(operation)
        return name
    if kind == "default":
        return c.defaults.get(operation, {}).get(q["purpose"], {}).get(q["provider"])
    if kind == "contract":
        return promised(contract, q["name"])
    if kind == "setting":
        if contract is None:
            return None
        said = contract.get("settings", {}).get(q["name"])
        return "unknown" if said is None else said if isinstance(said, str) else "ruled"
    if kind in ("price", "cost"):
        call = q.get("call", {})
        if kind == "price":
            p, why = c.entry(rid, operation, q["meter"], call, q.get("input_tokens", 0), "", call.get("cache_lifetime", ""))
            unit = "usd_per_million" if p and "usd_per_million" in p else "usd_per_unit"
            return {"unknown": why} if why else {unit: p[unit]}
        found = list(c.lines(rid, operation, q["usage"], lasting(contract, call)))
        stated = spelled(sum((cost for _, cost, _ in found if cost is not None), Fraction(0)))
        unknown = {meter: why for meter, _, why in found if why}
        return {"stated_usd": stated, "unknown": unknown} if unknown or not found else {"usd": stated}
    if kind == "select":
        return selected(c, q)
    raise Skip


def lasting(contract, call):
    """The call with the cache lifetime that one has which names none."""
    first = contract["protocol"] if isinstance(contract["protocol"], str) else contract["protocol"][0]
    return {"cache_lifetime": "5m", **call} if first == "anthropic_messages" else call


def promised(contract, name):
    if contract is None:
        return None
    if name == "protocols":
        named = contract["protocol"]
        return [named] if isinstance(named, str) else [p if isinstance(p, str) else p["protocol"] for p in named]
    if name == "support":
        return contract.get("evidence", {}).get("support")
    if name == "output_kinds":
        return contract.get(name, ["text"])  # asked of text contracts alone
    value = contract.get(name)
    if name == "dimensions" and isinstance(value, dict):
        return value["default"]
    return value


KNOWN = {"id", "kind", "operation", "inputs", "providers", "min_context", "min_output", "support", "lifecycle", "at", "usage", "max_usd", "prefer",
         "provider_order", "limit", "questions", "outputs"}


def selected(c, q):
    operation = q.get("operation")
    if set(q) - KNOWN or "/wrong-" in q["id"]:
        raise Skip
    at, usage = q.get("at", AS_OF), q.get("usage")
    call = {"at": at}

    def window(rid):
        limits = c.rows[rid].get("limits", {})
        sizes = [limits[key] for key in ("context_tokens", "runtime_context_tokens") if key in limits]
        return min(sizes) if sizes else None

    def serves(rid):
        row, contract = c.rows[rid], c.contracts[rid][operation]
        state = c.state(rid, moment(at))
        if state == "ended" or STATES.index(state) > STATES.index(q.get("lifecycle", "deprecated")):
            return False
        if row.get("regional_only") or q.get("providers") and row["provider"] not in q["providers"]:
            return False
        support = contract.get("evidence", {}).get("support")
        if "support" in q and (support is None or SUPPORTS.index(support) < SUPPORTS.index(q["support"])):
            return False
        kinds = [("inputs", contract["input_kinds"]), ("questions", contract.get("question_kinds", [])), ("outputs", contract.get("output_kinds", ["text"]))]
        if any(set(q.get(name, [])) - set(takes) for name, takes in kinds):
            return False
        if contract.get("quirks", {}).get("requires_streaming") or promised(contract, "protocols") == ["bedrock_converse"]:
            return False
        if window(rid) is None and q.get("min_context") or window(rid) is not None and window(rid) < q.get("min_context", 0):
            return False
        writes = row.get("limits", {}).get("output_tokens", window(rid))
        if q.get("min_output") and (writes is None or writes < q["min_output"]):
            return False
        if "max_usd" in q:
            cost = c.total(rid, operation, usage, call)
            return cost is not None and cost <= Fraction(q["max_usd"])
        return True

    def usual(rid):
        """Outside the hours of any window."""
        prices = c.rows[rid].get("price", [])
        c.rows[rid]["price"] = [p for p in prices if "window" not in p]
        cost = c.total(rid, operation, {"lines": [{"meter": m, "count": n} for m, n in USUAL[operation].items()]}, call)
        c.rows[rid]["price"] = prices
        return cost

    known = lambda cost: (cost is None, cost or Fraction(0))
    hits = sorted((rid for rid in c.ids(operation) if serves(rid)), key=lambda rid: known(usual(rid)))
    place = {rid: i for i, rid in enumerate(hits)}
    worth = {
        "price": (lambda rid: known(c.total(rid, operation, usage, call))) if usage else (lambda rid: place[rid]),
        "context": lambda rid: -(window(rid) or 0),
        "tier": lambda rid: TIERS.index(t) if (t := c.rows[rid].get("presentation", {}).get("tier")) in TIERS else len(TIERS),
        "providers": lambda rid: (q["provider_order"] + [c.rows[rid]["provider"]]).index(c.rows[rid]["provider"]),
    }
    return sorted(hits, key=lambda rid: tuple(worth[name](rid) for name in q.get("prefer", ["price"])))[: q.get("limit") or 10]


CATALOGS = {"made": [HERE / "made/bundled", HERE / "made/user"], "bundled": [HERE.parent / "catalog_sources", HERE.parent / "capability_sources"]}


def main(paths):
    catalogs, wrong, skipped, checked = {}, 0, 0, 0
    for path in paths:
        for q in json.loads(pathlib.Path(path).read_text(encoding="utf-8"))["questions"]:
            right = q.pop("answer")
            q.pop("why", None)
            name = q["id"].split("/")[0]
            catalogs[name] = catalogs.get(name) or Catalog(CATALOGS[name])
            try:
                mine = answer(catalogs[name], q)
            except Skip:
                skipped += 1
                continue
            checked += 1
            if mine != right:
                wrong += 1
                print(f"{q['id']}: the file says {json.dumps(right)}, I find {json.dumps(mine)}")
    print(f"{checked} agree with the sources" if not wrong else f"{wrong} of {checked} differ", f"({skipped} are not mine to answer)")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
