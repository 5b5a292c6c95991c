// Every question of the file that the Go test wrote has in node the answer that Go gave.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { cost } from "opcatalog";

// A charge without what it only repeats of the question.
function answer({ lines, nano_usd, ...rest }) {
  return { ...rest, nano_usd: nano_usd?.toString(), lines: lines.map(({ count, price, ...line }) => line) };
}

test("costs are those of Go", () => {
  const questions = JSON.parse(readFileSync(process.env.OPCAT_QUESTIONS, "utf8"));
  for (const { prices, usage, call, want } of questions) {
    const lines = usage.lines.map((line) => ({ ...line, count: BigInt(line.count) }));
    const got = answer(cost(prices, { ...usage, lines }, call));
    assert.deepEqual(JSON.parse(JSON.stringify(got)), want, JSON.stringify({ prices, usage, call }));
  }
  assert.ok(questions.length > 3000);
});
