// How long a page of many rows takes: run by the Go benchmark of projections/picker, which
// makes it (OPCAT_MANY). Prints the medians of several rounds in milliseconds.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const rounds = Number(process.env.OPCAT_ROUNDS ?? 7);
const browser = await chromium.launch({
  executablePath: process.env.OPCAT_CHROMIUM,
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const taken = {};
const took = (name, ms) => (taken[name] ??= []).push(ms);

for (let i = 0; i < rounds; i++) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector("#results tr.route")) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => (globalThis.shownAt = performance.now())));
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto(`${pathToFileURL(join(process.env.OPCAT_MANY, "index.html")).href}#at=2026-11-30`);
  await page.waitForFunction(() => globalThis.shownAt);
  took("shown", await page.evaluate(() => globalThis.shownAt)); // from the start of the navigation to the first routes on the screen
  const after = (act) =>
    page.evaluate(async (source) => {
      const start = performance.now();
      new Function(source)();
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      return performance.now() - start;
    }, act);
  const type = (selector, text) => `const f = document.querySelector(${JSON.stringify(selector)}); f.value = ${JSON.stringify(text)}; f.dispatchEvent(new Event("input", { bubbles: true }));`;
  took("filter", await after('document.querySelector(".filters input[type=checkbox]").click()'));
  took("usage", await after(type(".usage .meter input", "123456")));
  took("search", await after(type(".search input", "model 0012")));
  took("operation", await after('document.querySelectorAll(".operations input")[1].click()'));
  await page.close();
}
await browser.close();
console.log(JSON.stringify(Object.fromEntries(Object.entries(taken).map(([name, all]) => [name, all.sort((a, b) => a - b)[all.length >> 1]]))));
