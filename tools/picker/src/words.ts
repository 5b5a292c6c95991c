// How things are called on the page.

const said: { readonly [word: string]: string } = {
  input_token: "input token",
  cache_read_token: "cached input token",
  cache_write_token: "cache write token",
  pdf: "PDF",
  json: "JSON",
  file_ref: "file reference",
  gpu_second: "GPU second",
};

/** A name of the registry in words. */
export function words(name: string): string {
  return said[name] ?? name.replaceAll("_", " ");
}

/** The same with a capital letter. */
export function title(name: string): string {
  const text = words(name);
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Tokens in a few characters: 8,192, 128k, 1.05M. Every digit stands in the title beside it. */
export function short(n: number): string {
  if (n >= 1_000_000) return `${round(n / 1_000_000)}M`;
  if (n >= 10_000) return `${round(n / 1_000)}k`;
  return grouped(n);
}

function round(n: number): string {
  return n >= 100 ? String(Math.round(n)) : String(Number(n.toPrecision(3)));
}

export function plural(n: number, one: string, many = `${one}s`): string {
  return `${grouped(n)} ${n === 1 ? one : many}`;
}

/** A whole number as people type it: 200000, 200,000, 128k, 1.5m. */
export function parseCount(text: string): bigint | undefined {
  const match = /^(\d+)(?:\.(\d+))?([km])?$/i.exec(text.replace(/[\s,_']/g, ""));
  if (!match) return undefined;
  const places = { k: 3, m: 6 }[match[3]?.toLowerCase() ?? ""] ?? 0;
  const fraction = match[2] ?? "";
  if (fraction.length > places) return undefined;
  const n = BigInt(match[1] + fraction.padEnd(places, "0"));
  return n <= 1_000_000_000_000n ? n : undefined;
}

/** An amount of dollars as people type it. */
export function parseMoney(text: string): string | undefined {
  const match = /^\$?\s*(\d{1,18}|(?=\.))(?:\.(\d{1,18}))?$/.exec(text.replace(/[,_']/g, "").trim());
  if (!match) return undefined;
  const whole = match[1]!.replace(/^0+(?=\d)/, "") || "0";
  const fraction = (match[2] ?? "").replace(/0+$/, "");
  return whole + (fraction && `.${fraction}`);
}

const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu;

/**
 * A text of the catalog, with what nobody sees made visible: marks that turn the writing direction, or blanks of no
 * width, would make an id look like another.
 */
export function visible(text: string): string {
  return text.replace(unseen, (c) => `⟨U+${c.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}⟩`);
}

/** A whole number with a comma at each thousand. */
export function grouped(digits: string | number): string {
  return String(digits).replace(/\B(?=(\d{3})+$)/g, ",");
}
