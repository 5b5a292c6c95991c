"""Prices one call of gpt-4o with 1,000 tokens in and 500 out, as often as it is told.

As "litellm select" it finds the ten cheapest chat models with tools and a window of
32,768 tokens in LiteLLM's own list instead: it has no selection, so this is the
comprehension that its users write.

Each line read is a number of calls; the answer is their CPU time in nanoseconds.
The first answer, before any line, is the version of the library.
"""
import importlib.metadata
import sys
import time

library, _, job = sys.argv[1].partition(" ")
if job == "select":
    import litellm

    rows = [(name, row) for name, row in litellm.model_cost.items()]

    def price():
        fit = [
            (row.get("input_cost_per_token", 1) * 1000 + row.get("output_cost_per_token", 1) * 1000, name)
            for name, row in rows
            if row.get("mode") == "chat" and row.get("supports_function_calling") and (row.get("max_input_tokens") or 0) >= 32768
        ]
        fit.sort()
        return fit[:10]
elif library == "litellm":
    import litellm

    def price():
        return litellm.cost_per_token(model="gpt-4o", prompt_tokens=1000, completion_tokens=500)
else:
    from genai_prices import Usage, calc_price

    usage = Usage(input_tokens=1000, output_tokens=500)

    def price():
        return calc_price(usage, model_ref="gpt-4o", provider_id="openai")

price()
print(importlib.metadata.version(library), flush=True)
for line in sys.stdin:
    start = time.process_time_ns()
    for _ in range(int(line)):
        price()
    print(time.process_time_ns() - start, flush=True)
