// A second opinion on JSON Schemas. Reads lines of JSON: {"schema": "<path>"} loads the
// schema that the following lines are about, {"value": ...} and {"file": "<path>"} are
// checked by it. Answers each of these with a line: "true", or "false" and the reasons.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import Ajv from "ajv/dist/2020.js";

const read = (path) => JSON.parse(readFileSync(path, "utf8"));

// Strict but for types: an "allOf" beside a description has none of its own.
const ajv = new Ajv({ strict: true, strictTypes: false, allErrors: false });
let check;
for await (const line of createInterface({ input: process.stdin })) {
  const ask = JSON.parse(line);
  if (ask.schema !== undefined) {
    check = ajv.compile(read(ask.schema));
    continue;
  }
  const good = check(ask.file === undefined ? ask.value : read(ask.file));
  console.log(good ? "true" : `false ${JSON.stringify(ajv.errorsText(check.errors))}`);
}
