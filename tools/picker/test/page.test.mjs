// What a user's browser shows. Run by the Go test of projections/picker, which makes the
// pages: OPCAT_SMALL has a row for each rule and hostile texts, OPCAT_BUNDLED the
// catalog that opcat ships, OPCAT_MANY five thousand rows.
import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const { OPCAT_CHROMIUM, OPCAT_SMALL, OPCAT_BUNDLED, OPCAT_MANY, OPCAT_COSTS } = process.env;
const axe = readFileSync(new URL("../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const day = "at=2026-11-30"; // so that no test depends on the clock

let browser;
before(async () => {
  browser = await chromium.launch({
    executablePath: OPCAT_CHROMIUM,
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
});
after(() => browser?.close());

/** Opens a page and runs a test on it; anything that the page complains of is a failure. */
async function on(folder, hash, run, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, permissions: ["clipboard-read", "clipboard-write"], ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on("pageerror", (err) => complaints.push(String(err)));
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  page.on("dialog", (dialog) => (complaints.push(`a dialog: ${dialog.message()}`), dialog.dismiss()));
  page.on("request", (request) => /^(https?|wss?):/.test(request.url()) && !request.url().startsWith("http://127.0.0.1:") && complaints.push(`asked ${request.url()}`));
  try {
    await page.goto(options.url ?? pathToFileURL(join(folder, "index.html")).href + hash);
    await page.waitForSelector("#results, .empty, [role=alert]");
    await run(page, context);
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
  }
}

const small = (hash, run, options) => on(OPCAT_SMALL, `#${day}&${hash}`, run, options);
/** Waits until what was done is drawn, and the address follows it. */
const settled = async (page) => {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(() => setTimeout(done))))));
  return page;
};
/** Waits for the rows below the first screenful too. */
const drawn = async (page) => {
  await (await settled(page)).evaluate(() => new Promise((done) => requestIdleCallback(done)));
  return settled(page);
};
const ids = async (page) => (await settled(page)).$$eval("#results [data-row]", (names) => names.map((name) => name.dataset.row));
const ours = async (page) => (await ids(page)).filter((id) => !id.startsWith("evil/"));
const costOf = async (page, id) => (await settled(page)).$eval(`tr:has([data-row="${id}"]) .cost`, (cell) => cell.firstElementChild.textContent);
const tally = async (page) => (await settled(page)).$eval(".tally", (p) => p.textContent);
const hashOf = async (page) => (await settled(page)).evaluate(() => location.hash);

test("the operation comes first: each shows its own routes and no other's", () =>
  small("", async (page) => {
    assert.equal(await page.title(), "opcat picker");
    assert.deepEqual(await page.$$eval(".operation b", (all) => all.map((b) => b.textContent)), ["Text generation", "Embedding", "Decision evaluation", "Reranking", "Moderation"]);
    assert.ok((await ids(page)).includes("acme/cheap"));
    assert.ok(!(await ids(page)).includes("acme/vectors"));
    await page.getByRole("radio", { name: /Embedding/ }).check();
    assert.deepEqual(await ids(page), ["acme/vectors"]);
    await page.getByRole("radio", { name: /Decision/ }).check();
    assert.deepEqual(await ids(page), ["gate/judge"]);
    await page.getByRole("radio", { name: /Moderation/ }).check();
    assert.match(await page.textContent(".empty"), /No route has all of this/);
  }));

test("my usage is priced at once and exactly", () =>
  small("", async (page) => {
    assert.equal(await costOf(page, "acme/cheap"), "$5.00"); // 1,000 × (3,000 in, 1,000 out)
    await page.getByLabel("Number of calls").fill("1");
    await page.getByLabel("input tokens of one call", { exact: true }).fill("7");
    await page.getByLabel("output tokens of one call", { exact: true }).fill("0");
    assert.equal(await costOf(page, "acme/exact"), "$0.000000000000000000000007");
    assert.equal(await costOf(page, "acme/cheap"), "$0.000007");
    await page.getByLabel("input tokens of one call", { exact: true }).fill("100001");
    assert.equal(await costOf(page, "acme/exact"), "$0.0200002"); // the tier that it reached
    await page.getByLabel("Number of calls").fill("123456789012");
    assert.equal(await costOf(page, "acme/exact"), "$2,469,160,471.5978024");
    await page.getByLabel("service tier").selectOption("batch");
    assert.equal(await costOf(page, "acme/cheap"), "$6,172,901,178.994506");
    assert.match(await costOf(page, "acme/exact"), /^unknown: no price stated/); // it has no such tier
  }));

test("every cost of the bundled catalog is the one that package operations says", async () => {
  const questions = JSON.parse(readFileSync(OPCAT_COSTS, "utf8"));
  let compared = 0;
  for (const { hash, costs } of questions) {
    await on(OPCAT_BUNDLED, hash, async (page) => {
      for (const more = page.locator(".rest button"); await more.count(); await settled(page)) await more.click();
      const shown = await (await drawn(page)).$$eval("#results tr.route", (rows) => rows.map((row) => [row.querySelector("[data-row]").dataset.row, row.querySelector(".cost").firstElementChild]).map(([id, cell]) => [id, cell.className === "unknown" ? "" : cell.textContent]));
      assert.equal(shown.length, Object.keys(costs).length, hash);
      for (const [id, cost] of shown) assert.equal(cost, costs[id], `${hash}: ${id}`);
      compared += shown.length;
      const unknown = shown.findIndex(([, cost]) => cost === "");
      assert.ok(unknown < 0 || shown.slice(unknown).every(([, cost]) => cost === ""), `${hash}: what is unknown comes last`);
    });
  }
  assert.ok(compared > 2000, `${compared} costs were compared`);
});

test("an unknown price is not zero: it says why, comes last, meets no bound and is no bargain", () =>
  small("compare=acme/half&compare=acme/cheap&compare=acme/going", async (page) => {
    const unknown = ["acme/unpriced", "acme/half", "acme/dynamic", "acme/euro"];
    for (const id of unknown) assert.equal((await costOf(page, id)).split(":")[0], "unknown", id);
    assert.match(await page.$eval('tr:has([data-row="acme/half"]) .cost', (c) => c.textContent), /no price stated \(output token\)/);
    assert.match(await page.$eval('tr:has([data-row="acme/euro"]) .cost', (c) => c.textContent), /not priced in USD/);
    assert.match(await page.$eval('tr:has([data-row="acme/dynamic"]) .cost', (c) => c.textContent), /changes from call to call/);
    const order = await ours(page);
    assert.deepEqual(order.slice(0, 4), ["acme/free", "acme/exact", "acme/cheap", "gate/acme/cheap"]);
    assert.deepEqual(order.slice(-4).sort(), [...unknown].sort());
    assert.equal(await costOf(page, "acme/free"), "free");
    await page.getByRole("button", { name: "Compare 3" }).click();
    assert.deepEqual(await page.$$eval(".compare .cost td", (cells) => cells.map((cell) => cell.textContent.split(":")[0])), ["unknown", "$5.00cheapest", "$16.00"]);
    await page.keyboard.press("Escape");
    for (const sort of ["context", "released", "support", "name"]) {
      await page.getByLabel("Sort by").selectOption(sort);
      if (sort === "context") assert.equal((await ours(page)).at(-1), "acme/dynamic"); // whose context nobody knows
    }
    await page.getByLabel("My usage costs at most").fill("0.0000000001");
    assert.deepEqual(await ours(page), ["acme/free"]);
    assert.match(await tally(page), /1 of .* more have no known cost/);
  }));

test("free and unknown have their places in the plot, or none", () =>
  small("provider=acme", async (page) => {
    await page.waitForSelector(".plot svg circle");
    assert.equal(await page.locator(".plot svg [data-mark=dot] circle").count(), 4); // free, exact, cheap, going
    assert.match(await page.textContent(".plot p"), /^4 routes with an unknown cost or context are not in the plot/);
    assert.match(await page.textContent(".plot svg"), /free/);
    await page.locator(".plot svg [data-mark=dot] circle").first().hover();
    await page.mouse.down();
    await page.mouse.up();
    assert.match(await hashOf(page), /open=acme/);
  }));

test("filters: inputs, context, provider, lifecycle, support, abilities, options, questions", () =>
  small("", async (page) => {
    const found = async (hash) => {
      await page.goto(pathToFileURL(join(OPCAT_SMALL, "index.html")).href + `#${day}&${hash}`);
      await page.waitForFunction((h) => location.hash.includes(h), hash.split("=")[0]);
      return ours(page);
    };
    await page.getByRole("checkbox", { name: /^image/ }).check();
    assert.deepEqual(await ours(page), ["acme/cheap"]);
    await page.getByRole("button", { name: /Clear 1 filter/ }).click();
    assert.equal((await ours(page)).length, 9);
    await page.getByLabel("Context of at least").fill("100k");
    assert.deepEqual((await ours(page)).sort(), ["acme/cheap", "acme/exact", "acme/half", "acme/unpriced"]);
    assert.match(await tally(page), /have no known context/);
    await page.getByLabel("Context of at least").fill("100k and more");
    assert.equal(await page.getByLabel("Context of at least").getAttribute("aria-invalid"), "true");
    assert.equal((await ours(page)).length, 4); // what is no number changes nothing
    await page.getByRole("button", { name: /Clear/ }).click();
    await page.getByRole("checkbox", { name: /^Gate/ }).check();
    assert.deepEqual(await ours(page), ["gate/acme/cheap"]);
    await page.getByRole("button", { name: /Clear/ }).click();
    await page.getByRole("checkbox", { name: "ended" }).check();
    assert.ok((await ours(page)).includes("acme/old"));
    assert.match(await page.textContent('tr:has([data-row="acme/old"])'), /ended 2026-06-01/);
    await page.getByRole("button", { name: /Clear/ }).click();
    await page.getByLabel("Support of at least").selectOption("documented");
    assert.deepEqual(await ours(page), ["acme/cheap"]);
    assert.deepEqual(await found("support=declared"), ["acme/cheap", "gate/acme/cheap"]);
    assert.deepEqual(await found("has.can=tools"), ["acme/cheap"]);
    assert.deepEqual(await found("has.accepts=effort&has.accepts=temperature"), ["acme/cheap"]);
    assert.deepEqual(await found("has.accepts=seed"), []); // refused
    assert.deepEqual(await found("has.policy=untrained&provider=acme&context=100k&most=100"), ["acme/exact", "acme/cheap"]);
    assert.deepEqual(await found("operation=decision_evaluation&has.question_kinds=choice"), ["gate/judge"]);
    assert.deepEqual(await found("operation=decision_evaluation&has.question_kinds=score"), []);
  }));

test("a route bills what its contract says: by search units or by tokens", () =>
  small("operation=reranking&calls=1", async (page) => {
    assert.equal(await costOf(page, "gate/rank-units"), "$0.002");
    assert.equal(await costOf(page, "gate/rank-tokens"), "$0.001");
  }));

test("search finds names, ids and providers, and looks past a slip", () =>
  small("", async (page) => {
    const search = page.getByRole("searchbox", { name: /Search by name/ });
    for (const [text, want] of [["going", ["acme/going"]], ["ACME free", ["acme/free"]], ["gate", ["gate/acme/cheap"]], ["unprcied", ["acme/unpriced"]], ["bargain", ["acme/cheap"]], ["default runtime", ["acme/exact"]], ["nothing like it", []]]) {
      await search.fill(text);
      assert.deepEqual(await ours(page), want, text);
    }
    await search.fill("模型");
    assert.equal((await ids(page)).length, 1);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Control+k");
    assert.equal(await (await settled(page)).evaluate(() => document.activeElement.type), "search");
  }));

test("an address keeps what was chosen, and a foreign one does no harm", () =>
  small("", async (page) => {
    await page.getByLabel("input tokens of one call", { exact: true }).fill("123k");
    await page.getByRole("checkbox", { name: /^Acme/ }).check();
    await page.getByLabel("Context of at least").fill("32k");
    await page.getByLabel("Sort by").selectOption("context");
    await page.getByRole("button", { name: "Cheap", exact: true }).click();
    await page.getByRole("checkbox", { name: "Compare Cheap" }).check();
    await page.getByRole("checkbox", { name: "Compare Exact" }).check();
    const hash = await hashOf(page);
    const shown = async () => (await settled(page)).evaluate(() => [document.querySelector(".found").innerText, document.querySelector(".tray").innerText]);
    const before = await shown();
    await page.goto("about:blank");
    await page.goto(pathToFileURL(join(OPCAT_SMALL, "index.html")).href + hash);
    await page.waitForSelector(".details");
    assert.deepEqual(await shown(), before);
    assert.equal(await hashOf(page), hash);
    for (const bad of ["#operation=__proto__&has.constructor=x", "#calls=-1&use.input_token=1e9&at=2026-99-99&sort=toString&life=x&compare=%00&open=<img src=x onerror=alert(1)>", "#%E0%A4%A", "#operation=embedding&provider=constructor&context=NaN&most=Infinity"]) {
      await page.evaluate((to) => (location.hash = to), bad);
      await page.waitForTimeout(30);
      assert.ok(await page.locator("#results, .empty").count(), bad);
    }
    assert.doesNotMatch(await page.textContent(".found"), /NaN|undefined|Infinity/);
  }));

test("all of it works with the keyboard alone", () =>
  small("provider=acme", async (page) => {
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to the routes");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab"); // the checkbox of the first route
    await page.keyboard.press("Tab");
    const at = async () => (await settled(page)).evaluate(() => document.activeElement.dataset.row);
    assert.equal(await at(), "acme/free");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    assert.equal(await at(), "acme/cheap");
    await page.keyboard.press("Enter");
    assert.match(await page.textContent(".details"), /per million input tokens/);
    await page.keyboard.press("y");
    await page.waitForFunction(() => document.querySelector(".said").textContent.startsWith("Copied"));
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "text_generation:acme/cheap");
    await page.keyboard.press("c");
    await page.keyboard.press("Home");
    await page.keyboard.press("c");
    await page.locator(".tray .main").focus();
    await page.keyboard.press("Enter");
    assert.equal(await (await settled(page)).locator("dialog[open]").count(), 1);
    await page.keyboard.press("Escape");
    assert.equal(await (await settled(page)).locator("dialog[open]").count(), 0);
    await page.getByRole("radio", { name: /Text/ }).focus();
    await page.keyboard.press("ArrowRight");
    assert.match(await hashOf(page), /operation=embedding/);
  }));

test("the id of a route is copied as it is", () =>
  small("", async (page) => {
    await page.getByRole("button", { name: "Copy id of Cheap", exact: true }).click();
    assert.equal(await (await settled(page)).evaluate(() => navigator.clipboard.readText()), "text_generation:acme/cheap");
    await page.getByRole("button", { name: "Free of charge", exact: true }).click();
    await page.getByRole("button", { name: "Copy row id" }).click();
    assert.equal(await (await settled(page)).evaluate(() => navigator.clipboard.readText()), "acme/free");
    await page.getByRole("button", { name: "Copy link" }).click();
    assert.match(await (await settled(page)).evaluate(() => navigator.clipboard.readText()), /^file:.*open=acme%2Ffree/);
  }));

test("rows without an operation are shown apart, and nothing on them can be pressed", () =>
  small("", async (page) => {
    assert.ok(!(await ids(page)).includes("acme/voice"));
    await page.locator(".listed summary").click();
    assert.match(await page.textContent(".listed li"), /Voice.*acme\/voice.*listed for speech/);
    assert.equal(await page.locator(".listed li :is(a, button, input, select)").count(), 0);
    await page.evaluate(() => (location.hash = "#operation=text_generation&open=acme/voice&compare=acme/voice&compare=acme/cheap"));
    await page.waitForSelector(".tray");
    assert.equal(await (await settled(page)).locator(".tray li").count(), 1);
    assert.equal(await page.locator(".details").count(), 0);
  }));

test("routes are compared side by side, by what differs", () =>
  small("compare=acme/cheap&compare=gate/acme/cheap", async (page) => {
    await page.getByRole("button", { name: "Compare 2" }).click();
    const facts = () => page.$$eval(".compare tbody tr", (rows) => Object.fromEntries(rows.map((row) => [row.querySelector("th").textContent, [...row.querySelectorAll("td")].map((cell) => cell.textContent)])));
    const differing = await facts();
    assert.deepEqual(differing["Context"], ["128,000 tokens", "64,000 tokens"]);
    assert.deepEqual(differing["Support"], ["documented", "declared"]);
    assert.deepEqual(differing["Platform fee"], ["not stated", "5.5 % on top, not included"]);
    assert.equal(differing["Protocol"], undefined);
    await page.getByLabel("only what differs").uncheck();
    assert.deepEqual((await facts())["Protocol"], ["openai chat completions", "openai chat completions"]);
  }));

test("details: the receipt, conditions, options, the same model elsewhere, the successor", () =>
  small("life=active,announced,deprecated,ended&open=acme/cheap", async (page) => {
    const text = (await page.textContent(".details")).replace(/\s+/g, " ");
    for (const part of ["3,000 input tokens$0.003", "1,000 calls$5.00", "$0.50 batch tier", "none, low, max, low if left out", "0 to 2 when effort is none; 1 when effort is low or max", "Refused: seed.", "Aliasbargain", "Support: documented", "gate/acme/cheap$7.50"]) {
      assert.ok(text.includes(part), `${part} is not in ${text}`);
    }
    await page.getByRole("button", { name: "Old", exact: true }).click();
    assert.match(await page.textContent(".details .note"), /Gone\. Instead: acme\/cheap/);
    await page.locator(".details .note button").click();
    assert.match(await hashOf(page), /open=acme%2Fcheap/);
  }));

test("hostile texts are texts", () =>
  small("provider=evil", async (page) => {
    const rows = await ids(page);
    assert.ok(rows.length >= 12);
    for (const id of rows) await page.evaluate((row) => [...document.querySelectorAll("[data-row]")].find((b) => b.dataset.row === row).click(), id);
    const boxes = page.locator('#results input[type="checkbox"]');
    for (let i = 0; i < 6; i++) await boxes.nth(i).check();
    await page.getByRole("button", { name: "Compare 6" }).click();
    assert.equal(await (await settled(page)).evaluate(() => globalThis.pwned), undefined);
    assert.equal(await page.locator("#app img, #app script, #app b[onclick]").count(), 0);
    await page.keyboard.press("Escape");
    const text = await page.textContent("#results");
    assert.ok(text.includes("<script>globalThis.pwned = 1</script>"));
    assert.ok(text.includes("⟨U+202E⟩gnp.exe") && text.includes("a⟨U+200B⟩b"), "what nobody sees is made visible");
    assert.ok(!/[\u200b\u202a-\u202e\u2066-\u2069]/.test(text));
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "a long id breaks nothing");
    const copy = page.locator(`tr.route:has([data-row^="evil/\u202e"]) .copy`);
    await copy.click();
    assert.equal(await (await settled(page)).evaluate(() => navigator.clipboard.readText()), "text_generation:evil/\u202egnp.exe"); // the id itself is what it is
  }));

const views = {
  list: ["", async () => {}],
  details: ["open=acme/cheap&compare=acme/cheap&compare=acme/free", async () => {}],
  "nothing found": ["q=nothing like it", async () => {}],
  hostile: ["provider=evil", async (page) => page.locator("[data-row]").first().click()],
  comparison: ["compare=acme/cheap&compare=acme/half&compare=acme/old", async (page) => page.locator(".tray .main").click()],
  listed: ["", async (page) => page.locator(".listed summary").click()],
  "a wrong number": ["", async (page) => page.getByLabel("Number of calls").fill("many")],
};
for (const [scheme, width] of [["light", 1280], ["dark", 1280], ["light", 390]]) {
  test(`accessible in ${scheme} at ${width} pixels`, async () => {
    for (const [name, [hash, act]] of Object.entries(views)) {
      if (width < 760 && !["list", "details", "comparison"].includes(name)) continue;
      await small(hash, async (page) => {
        if (width < 760 && (await page.locator(".fold").isVisible())) await page.locator(".fold").click();
        await act(page);
        await page.waitForTimeout(200); // for colours that fade
        await page.evaluate(axe);
        // In the dark only colours differ.
        const rules = scheme === "dark" ? { type: "rule", values: ["color-contrast"] } : ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
        const { violations, passes } = await page.evaluate((runOnly) => globalThis.axe.run(document, { runOnly, preload: false, resultTypes: ["violations"] }), rules);
        assert.deepEqual(violations.map((v) => `${v.id}: ${v.nodes.map((n) => `${n.html.slice(0, 120)} ${n.failureSummary}`).join("; ")}`), [], name);
        assert.ok(passes.length > (scheme === "dark" ? 0 : 20), `${passes.length} rules were looked at`);
      }, { colorScheme: scheme, viewport: { width, height: 900 } });
    }
  });
}

test("a phone shows all of it without scrolling sideways", async () => {
  for (const [folder, widths] of [[OPCAT_SMALL, [320, 760, 900]], [OPCAT_BUNDLED, [390, 900]]]) {
    for (const width of widths) {
      await on(folder, `#${day}&operation=text_generation`, async (page) => {
        await page.locator("[data-row]").first().click();
        assert.ok(await (await settled(page)).evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${folder} at ${width}`);
        if (width > 400) return;
        assert.ok(await page.locator("#results .cost").first().isVisible());
        assert.ok(!(await page.getByRole("checkbox", { name: "ended" }).isVisible()));
        await page.getByRole("button", { name: "Filters" }).click();
        await settled(page);
        assert.ok(await page.getByRole("checkbox", { name: "ended" }).isVisible());
      }, { viewport: { width, height: 800 }, hasTouch: true });
    }
  }
});

test("the theme is the system's until another is chosen, and stays", () =>
  small("", async (page) => {
    const paper = async () => (await settled(page)).evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await paper();
    await page.getByLabel("Theme").selectOption("light");
    const light = await paper();
    assert.notEqual(light, dark);
    await page.reload();
    await page.waitForSelector("#results");
    assert.equal(await paper(), light);
  }, { colorScheme: "dark" }));

test("it works from a server too, and asks nobody else", async () => {
  const types = { html: "text/html", js: "text/javascript", css: "text/css" };
  const server = createServer((request, response) => {
    const name = new URL(request.url, "http://x").pathname.slice(1) || "index.html";
    response.setHeader("content-type", types[name.split(".").at(-1)] ?? "text/plain");
    response.end(readFileSync(join(OPCAT_SMALL, name)));
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  try {
    await on(OPCAT_SMALL, "", async (page) => assert.ok((await ids(page)).includes("acme/cheap")), { url: `http://127.0.0.1:${server.address().port}/#${day}` });
  } finally {
    server.close();
  }
});

test("five thousand rows: few are drawn, all are found", () =>
  on(OPCAT_MANY, `#${day}`, async (page) => {
    assert.match(await tally(page), /of 3,\d\d\d routes/);
    assert.ok((await page.locator("#results tr.route").count()) <= 50);
    await page.getByRole("button", { name: "Show more" }).click();
    assert.equal(await (await settled(page)).locator("#results tr.route").count(), 250);
    const last = await page.evaluate(() => globalThis.opcatPicker.operations.text_generation.routes.row.map((n) => globalThis.opcatPicker.rows[n].id).at(-1));
    await page.getByRole("searchbox", { name: /Search by name/ }).fill(last);
    await page.getByRole("checkbox", { name: "ended" }).check();
    await page.getByRole("checkbox", { name: "advised against" }).check();
    assert.deepEqual(await ids(page), [last]);
  }));

test("without its data, or with another's, the page says what is wrong", async () => {
  const folder = mkdtempSync(join(tmpdir(), "picker-"));
  try {
    for (const name of ["index.html", "page.css", "page.js"]) copyFileSync(join(OPCAT_SMALL, name), join(folder, name));
    for (const [data, want] of [["", /picker\.js was not loaded/], ['globalThis.opcatPicker = { schema: "opcat.picker@2" };', /says that it is "opcat\.picker@2", and this page reads opcat\.picker@1/]]) {
      writeFileSync(join(folder, "picker.js"), data);
      await on(folder, "", async (page) => assert.match(await page.textContent("[role=alert]"), want));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
