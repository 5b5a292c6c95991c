"""Prices one call of gpt-4o with 1,000 tokens in and 500 out, as often as it is told.

Each line read is a number of calls; the answer is their CPU time in nanoseconds.
The first answer, before any line, is the version of the library.
"""
import importlib.metadata
import sys
import time

library = sys.argv[1]
if library == "litellm":
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
