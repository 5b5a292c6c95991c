// Each row of a file is found in it without reading the whole, and nothing that is not there.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const folder = pathToFileURL(process.env.OPCAT_DATA + "/");

for (const name of readdirSync(folder).filter((name) => name.endsWith(".node.js") && name !== "index.node.js")) {
  test(name, async () => {
    const file = (await import(new URL(name, folder))).default();
    const lines = file.text().split("\n").filter((line) => line.startsWith('{"id":'));
    const ids = new Map(lines.map((line) => [JSON.parse(line.replace(/,$/, "")).id, line]));
    assert.equal(ids.size, lines.length);
    for (const [id, line] of ids) {
      assert.equal(file.line(id), line);
      for (const other of [id + "x", id.slice(0, -1), id.slice(1)]) assert.equal(file.line(other), ids.get(other));
    }
    for (const none of ["", "constructor", "\u{10ffff}", "\ud800", "]", '{"id":"']) assert.equal(file.line(none), undefined);
  });
}
