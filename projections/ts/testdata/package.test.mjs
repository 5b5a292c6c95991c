// What the package says of the small catalog of the tests.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import * as opcatalog from "opcatalog";
import { route } from "opcatalog/closed";
import { embedding } from "opcatalog/embedding";
import { refusal, select } from "opcatalog/select";
import { text_generation } from "opcatalog/text_generation";

test("a row serves the operations of its contracts and no other", () => {
  assert.equal(embedding.find("acme/embed-1"), "acme/embed-1");
  assert.equal(embedding.find("acme/chat-2"), undefined);
  assert.equal(text_generation.find("acme/chat"), undefined);
  assert.equal(text_generation.find("constructor"), undefined);
  assert.throws(() => text_generation.contract("acme/embed-1"), /no route "acme\/embed-1" for text_generation/);
  assert.throws(() => opcatalog.operation("translation"), /no operation "translation"; there are text_generation/);
  assert.throws(() => route.embedding("acme/gone"), /no route "acme\/gone"/);
});

test("iteration is in the order of ids", () => {
  const ids = [...opcatalog.rows()].map((row) => row.id);
  const known = JSON.parse(process.env.OPCAT_ROWS);
  assert.deepEqual(ids, known);
  assert.equal([...text_generation].length, text_generation.size);
  assert.deepEqual(
    [...opcatalog.routes()].map((of) => of.operation + " " + of.id).sort(),
    [...opcatalog.rows()].flatMap((row) => Object.keys(row.operations).map((name) => name + " " + row.id)).sort(),
  );
});

test("a row of two operations has both contracts, and each entry has its own", () => {
  const both = opcatalog.row("acme/both");
  assert.deepEqual(Object.keys(both.operations).sort(), ["embedding", "text_generation"]);
  assert.deepEqual(Object.keys(embedding.row("acme/both").operations), ["embedding"]);
  assert.equal(opcatalog.row("acme/ocr-1").listed_as[0], "ocr");
  assert.equal(opcatalog.row("acme/none"), undefined);
});

test("names", () => {
  assert.equal(text_generation.alias("small"), "acme/chat-1");
  assert.equal(embedding.alias("small"), undefined);
  assert.equal(text_generation.alias("constructor"), undefined);
  assert.equal(text_generation.defaultRoute("runtime"), "acme/chat-2");
  assert.equal(text_generation.defaultRoute("runtime", "nobody"), undefined);
  assert.equal(opcatalog.provider("acme").name, "Acme");
  assert.equal(opcatalog.provider("toString"), undefined);
});

test("lists keep to their filter, and what is unknown meets none", () => {
  assert.deepEqual(text_generation.list({ input_kinds: ["image"] }), ["acme/chat-1", "acme/chat-2"]);
  assert.deepEqual(text_generation.list({ provider: "acme", context_tokens: 32001 }), ["acme/chat-2"]);
  assert.deepEqual(text_generation.list({ provider: "acme", support: "documented" }), ["acme/chat-1", "acme/chat-2"]);
  assert.deepEqual(text_generation.list({ provider: "acme", states: ["deprecated"] }), ["acme/chat-1"]);
  assert.deepEqual(text_generation.list({ states: ["ended"], at: "2027-02-01" }), ["acme/chat-1"]);
  assert.deepEqual(embedding.list({ protocol: "cohere_embed" }), []);
  assert.deepEqual(embedding.list({ provider: "other" }), []);
});

test("a lifecycle is judged at the asked moment", () => {
  const state = (at) => text_generation.state("acme/chat-1", at);
  assert.equal(state("2026-11-30"), "deprecated");
  assert.equal(state("2027-01-30T23:59:59.999Z"), "deprecated");
  assert.equal(state("2027-01-31T00:59:59+01:00"), "deprecated");
  assert.equal(state("2027-01-31T01:00:00+01:00"), "ended");
  assert.equal(state(new Date("2027-01-31")), "ended");
  assert.throws(() => state("tomorrow"), TypeError);
  assert.throws(() => state(new Date(NaN)), TypeError);
});

test("costs are exact, and unknown says why", () => {
  const lines = [{ meter: "input_token", count: 3 }, { meter: "reasoning_token", count: 9_007_199_254_740_993n }];
  const receipt = text_generation.cost("acme/chat-2", { lines });
  assert.equal(receipt.usd, "72057594037.92795"); // 3 * 2 / 10^6 + 9007199254740993 * 8 / 10^6
  assert.equal(receipt.lines[1].priced_as, "output_token");
  const unknown = text_generation.cost("acme/chat-2", { lines: [...lines, { meter: "page", count: 1 }] });
  assert.equal(unknown.usd, undefined);
  assert.equal(unknown.stated_usd, receipt.usd);
  assert.equal(unknown.lines[2].unknown, "not_priced");
  assert.equal(text_generation.cost("acme/chat-2", { lines: [] }).unknown, "no_usage");
  assert.equal(embedding.cost("acme/embed-1", { lines: [{ meter: "input_token", count: 5 }] }).usd, "0");
  assert.throws(() => text_generation.cost("acme/chat-2", { lines: [{ meter: "input_token", count: 0.5 }] }), TypeError);
});

test("what a query or a filter cannot ask for is refused, not passed over", () => {
  for (const asked of [{ dimensoins: 1024 }, { operation: "embedding" }]) {
    const [field] = Object.keys(asked);
    assert.throws(() => select(embedding, asked), { code: "INVALID_QUERY", field, message: /it may have: inputs, outputs, / });
    assert.throws(() => refusal(embedding, "acme/embed-1", asked), { code: "INVALID_QUERY", field });
    assert.throws(() => embedding.list(asked), /a filter has no "\w+"; it may have: provider, /);
  }
  assert.throws(() => text_generation.list({ support: "Probed" }), /it may be: declared, documented, probed/);
});

test("nobody changes what others read", () => {
  assert.throws(() => embedding.contract("acme/embed-1").input_kinds.push("image"), TypeError);
  assert.throws(() => (opcatalog.row("acme/both").operations.moderation = {}), TypeError);
  assert.throws(() => (opcatalog.providers().acme.name = "Other"), TypeError);
});

test("ids are their wire strings, whatever they hold", () => {
  for (const id of JSON.parse(process.env.OPCAT_ROWS)) assert.equal(opcatalog.row(id).id, id);
});

test("what makes pages is given the same as node", () => {
  const script = `import * as c from "opcatalog"; console.log(JSON.stringify([...c.rows(), c.catalog(), ...c.routes()]))`;
  const run = (cwd) => execFileSync(process.execPath, ["--no-warnings", "--input-type=module", "-e", script], { cwd, encoding: "utf8" });
  assert.equal(run(process.env.OPCAT_WEB), run(import.meta.dirname));
});
