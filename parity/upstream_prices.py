"""Recomputes every price that opcat imported, from the raw upstream files.

Reads catalog_sources/*/upstream.toml (what opcat wrote) and the three raw catalogs, with decimals and none of opcat's
code, and says of each price whether the upstream states it to the last digit. What it cannot find is listed, and makes
the script fail.

    python3 parity/upstream_prices.py [CORPUS]        # default: ../shared/corpus
"""
import collections
import glob
import json
import os
import re
import sys
import tomllib
from decimal import Decimal

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CORPUS = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "..", "shared", "corpus")
MILLION = Decimal(1000000)
NAMES = tomllib.load(open(os.path.join(ROOT, "upstream", "want", "names.toml"), "rb"))


def ours(reader, theirs):
    return NAMES.get(reader, {}).get(theirs, theirs.lower())


# models.dev: key -> meter
COST = {"input": "input_token", "output": "output_token", "reasoning": "reasoning_token", "cache_read": "cache_read_token",
        "cache_write": "cache_write_token", "input_audio": "input_audio_token", "output_audio": "output_audio_token"}


def models_dev():
    root = os.path.join(CORPUS, "models.dev", "providers")

    def load(path, depth=0):
        text = open(path, encoding="utf-8").read()
        if depth < 9 and "=" not in text and text.strip().endswith(".toml"):  # a link that was checked out as text
            return load(os.path.normpath(os.path.join(os.path.dirname(path), text.strip())), depth + 1)
        d = tomllib.loads(text, parse_float=Decimal)
        if "extends" in d:
            provider, wire = d["extends"]["from"].split("/", 1)
            base = load(os.path.join(root, provider, "models", wire + ".toml"), depth + 1)
            for path_ in d["extends"].get("omit", []):
                at = base
                *front, last = path_.split(".")
                for p in front:
                    at = at.get(p, {})
                at.pop(last, None)
            d = merge(base, d)
        return d

    def merge(a, b):
        out = dict(a)
        for k, v in b.items():
            out[k] = merge(out[k], v) if isinstance(v, dict) and isinstance(out.get(k), dict) else v
        return out

    out = collections.defaultdict(set)
    for path in glob.glob(os.path.join(root, "*", "models", "**", "*.toml"), recursive=True):
        provider, _, wire = os.path.relpath(path, root)[:-5].split(os.sep, 2)
        d = load(path)
        row = (ours("models.dev", provider), d.get("id", wire.replace(os.sep, "/")))

        def cost(c, tier):
            for key, v in c.items():
                if key == "context_over_200k":
                    for k2, v2 in v.items():
                        if k2 in COST:
                            out[row].add((COST[k2], tier, 200000, Decimal(v2)))
                elif key in COST:
                    out[row].add((COST[key], tier, 0, Decimal(v)))
        cost(d.get("cost", {}), "")
        for mode in d.get("experimental", {}).get("modes", {}).values():
            body = mode.get("provider", {}).get("body", {})
            cost(mode.get("cost", {}), body.get("service_tier", body.get("speed", "")))
    return out


# LiteLLM: base key -> (meter, how many units of ours the amount is for)
BASES = {"input_cost_per_token": "input_token", "output_cost_per_token": "output_token", "output_cost_per_reasoning_token": "reasoning_token",
         "cache_read_input_token_cost": "cache_read_token", "input_cost_per_token_cache_hit": "cache_read_token",
         "cache_creation_input_token_cost": "cache_write_token", "citation_cost_per_token": "citation_token",
         "input_cost_per_audio_token": "input_audio_token", "output_cost_per_audio_token": "output_audio_token",
         "cache_read_input_audio_token_cost": "cache_read_audio_token", "cache_read_input_token_cost_per_audio_token": "cache_read_audio_token",
         "cache_creation_input_audio_token_cost": "cache_write_audio_token", "input_cost_per_image_token": "input_image_token",
         "output_cost_per_image_token": "output_image_token", "cache_read_input_image_token_cost": "cache_read_image_token",
         "input_cost_per_character": "input_character", "output_cost_per_character": "output_character", "input_cost_per_pixel": "input_pixel",
         "output_cost_per_pixel": "output_pixel", "input_cost_per_image": "input_image", "output_cost_per_image": "output_image",
         "input_cost_per_audio_per_second": "input_audio_second", "input_cost_per_video_per_second": "input_video_second",
         "output_cost_per_video_per_second": "output_video_second", "input_cost_per_query": "query", "input_cost_per_request": "request",
         "ocr_cost_per_page": "page", "annotation_cost_per_page": "page", "code_interpreter_cost_per_session": "session",
         "input_dbu_cost_per_token": "input_token", "output_dbu_cost_per_token": "output_token"}
SECONDS = {("input_cost_per_second", "audio_transcription"): "input_audio_second", ("output_cost_per_second", "audio_transcription"): "output_audio_second",
           ("output_cost_per_second", "audio_speech"): "output_audio_second", ("output_cost_per_second", "video_generation"): "output_video_second"}
PER_MILLION = re.compile(r"(_token|_character|_pixel)$")


def litellm():
    pairs = json.load(open(os.path.join(CORPUS, "litellm", "model_prices_and_context_window.json")), parse_float=Decimal, parse_int=Decimal,
                      object_pairs_hook=lambda p: p if len(p) > 200 else dict(p))
    out = collections.defaultdict(set)
    for key, e in pairs:
        provider = ours("litellm", e.get("litellm_provider", "").lower() if e.get("litellm_provider", "") not in NAMES["litellm"] else e["litellm_provider"])
        parts = key.split("/")
        found = set()

        def add(k, v, above=0):
            if not isinstance(v, Decimal):
                return
            tier = ""
            for suffix, name in (("_priority", "priority"), ("_flex", "flex"), ("_batches", "batch"), ("_batch_requests", "batch")):
                if k.endswith(suffix):
                    k, tier = k[:-len(suffix)], name
            m = re.search(r"_above_(\d+)k_tokens$", k)
            if m:
                k, above = k[:m.start()], int(m[1]) * 1000
            k = re.sub(r"(_above_1hr|_premium_image|_above_\d+_and_\d+_pixels(_and_premium_image)?|_1080p|_720p|_4k)$", "", k)
            if re.search(r"_above_1hr$", k):
                k = k[:-len("_above_1hr")]
            meter = BASES.get(k) or SECONDS.get((k, e.get("mode")))
            if meter:
                found.add((meter, tier, above, v * MILLION if PER_MILLION.search(meter) else v))
        for k, v in e.items():
            if k == "tiered_pricing":
                for t in v:
                    for k2, v2 in t.items():
                        add(k2, v2, int(t["range"][0]) if "range" in t else 0)
            elif k == "search_context_cost_per_query":
                for v2 in v.values():
                    found.add(("tool_call", "", 0, v2))
            else:
                add(k, v)
        for i in range(len(parts)):  # whatever stands before the id may be a route, a region or a size
            out[(provider, "/".join(parts[i:]))] |= found
    return out


MTOK = {"input_mtok": "input_token", "output_mtok": "output_token", "cache_read_mtok": "cache_read_token", "cache_write_mtok": "cache_write_token",
        "input_audio_mtok": "input_audio_token", "output_audio_mtok": "output_audio_token", "cache_audio_read_mtok": "cache_read_audio_token"}


def genai():
    out = collections.defaultdict(set)

    def equals(m):
        if "equals" in m:
            yield m["equals"]
        for x in m.get("or", []):
            yield from equals(x)
    for p in json.load(open(os.path.join(CORPUS, "genai-prices", "prices", "data.json")), parse_float=Decimal, parse_int=Decimal):
        for m in p["models"]:
            sets = m["prices"] if isinstance(m["prices"], list) else [{"prices": m["prices"]}]
            found = set()
            for s in sets:
                for k, v in s["prices"].items():
                    if k == "requests_kcount":
                        found.add(("request", "", 0, v / 1000))
                    elif isinstance(v, dict):
                        found.add((MTOK[k], "", 0, v["base"]))
                        found |= {(MTOK[k], "", int(t["start"]), t["price"]) for t in v["tiers"]}
                    else:
                        found.add((MTOK[k], "", 0, v))
            for wire in {m["id"], *equals(m.get("match", {}))}:
                out[(ours("genai-prices", p["id"]), wire)] |= found
    return out


def main():
    raw = {"models.dev": models_dev(), "litellm": litellm(), "genai-prices": genai()}
    right, wrong, other = collections.Counter(), [], collections.Counter()
    for path in sorted(glob.glob(os.path.join(ROOT, "catalog_sources", "*", "upstream.toml"))):
        for row in tomllib.load(open(path, "rb")).get("model", []):
            first = row["source"][0]["url"]
            for p in row.get("price", []):
                source = p.get("source", first)
                reader = next((r for r in raw if r in source), None)
                if reader is None:
                    other[source.split("@")[0].split("/")[2] if source.startswith("https") else source] += 1
                    continue
                if p.get("dynamic"):
                    other["dynamic: said where the source leaves a tier open"] += 1
                    continue
                amount = Decimal(p.get("usd_per_million") or p.get("usd_per_unit") or p.get("per_million") or p.get("per_unit"))
                want = (p["meter"], p.get("service_tier", ""), p.get("above_input_tokens", 0), amount)
                if want in raw[reader].get((row["provider"], row["wire_model"]), ()):
                    right[reader] += 1
                else:
                    wrong.append(f'{row["provider"]}/{row["wire_model"]}: {want} is not what {reader} states')
    for reader, n in sorted(right.items()):
        print(f"{reader}: {n} prices are the upstream's to the last digit")
    for why, n in sorted(other.items()):
        print(f"not recomputed, {n}: {why}")
    for w in wrong:
        print(w)
    print(f"{sum(right.values())} right, {len(wrong)} wrong")
    return 1 if wrong or not right else 0


if __name__ == "__main__":
    sys.exit(main())
