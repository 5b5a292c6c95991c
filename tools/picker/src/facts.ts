// What a contract says, fact by fact, in words. It knows no operation: a key that it has
// no words for is shown under its own name.

import type { Price } from "../../../projections/ts/package/types.js";
import { priceParts } from "./cost.ts";
import { type Clause, type PickerFile, type Route, type Settings, dataControls, protocolsOf } from "./file.ts";
import { grouped, title, words } from "./words.ts";

export interface Fact {
  readonly name: string;
  readonly value: string;
}

/** What the row and its contract say, but for prices and settings. What nobody stated is no fact. */
export function factsOf(file: PickerFile, route: Route): Fact[] {
  const { row, contract } = route;
  const facts: Fact[] = [];
  const add = (name: string, value: unknown) => {
    const text = said(value);
    if (text !== "") facts.push({ name, value: text });
  };
  add("Provider", route.providerName);
  add("Context", count(route.context, "tokens"));
  add("Longest input", count(row.limits?.input_tokens, "tokens"));
  add("Longest output", count(row.limits?.output_tokens, "tokens"));
  add("Protocol", protocolsOf(contract));
  for (const [key, value] of Object.entries(contract)) {
    if (key === "protocol") continue;
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      for (const [member, inner] of Object.entries(value)) add(`${title(key)}: ${words(member)}`, inner);
    } else {
      add(title(key), value);
    }
  }
  if (route.aliases.length > 0) facts.push({ name: "Alias", value: route.aliases.join(", ") });
  if (route.defaults.length > 0) facts.push({ name: "Default", value: route.defaults.join("; ") });
  add("Logical model", row.logical_model);
  add("Variant", row.served_variant);
  add("Snapshot", row.snapshot);
  add("Follows", row.selects && `${row.selects}${row.current ? `, now ${row.current}` : ""}`);
  add("Released", row.released);
  add("Regions", row.region?.map(({ name }) => name));
  add("Availability", row.availability);
  const controls = dataControls(file, route);
  add("Trains on what is sent", controls.training_default && { trains: "yes", does_not_train: "no" }[controls.training_default]);
  add("Keeps what is sent", controls.retention_default && { retained: "yes", not_retained: "no", abuse_monitoring_only: "for abuse monitoring only" }[controls.retention_default]);
  add("Open weights", row.metadata?.open_weight);
  add("Platform fee", file.providers[route.provider]?.platform_fee_percent && `${file.providers[route.provider]!.platform_fee_percent} % on top, not included`);
  return facts;
}

function count(n: number | undefined, of: string): string | undefined {
  return n === undefined ? undefined : `${grouped(n)} ${of}`;
}

/** A value in words; "" for none. */
function said(value: unknown): string {
  if (value === undefined || value === null || value === "") return "";
  if (value === true) return "yes";
  if (value === false) return "no";
  if (Array.isArray(value)) return value.map(said).join(", ");
  if (typeof value === "number") return value.toLocaleString("en");
  if (typeof value === "object") return Object.entries(value).map(([k, v]) => `${words(k)} ${said(v)}`).join(", ");
  return words(String(value));
}

/** The options of a contract: those that may be asked for with their range, and those that are refused. */
export function settingsOf(settings: Settings): { taken: Fact[]; refused: string[]; exclusive: string[] } {
  const taken: Fact[] = [];
  const refused: string[] = [];
  const exclusive: string[] = [];
  for (const [name, setting] of Object.entries(settings)) {
    if (setting === "refused") refused.push(words(name));
    else if (setting === "supported") taken.push({ name: words(name), value: "supported" });
    else if (name === "exclusive") exclusive.push(...(setting as readonly (readonly string[])[]).map((names) => names.map(words).join(" or ")));
    else taken.push({ name: words(name), value: (setting as readonly Clause[]).map(clause).join("; ") });
  }
  return { taken, refused, exclusive };
}

function clause({ values, min, max, default: usual, required, when }: Clause): string {
  const range = values ? values.map(said).join(", ") : min !== undefined && max !== undefined ? `${min} to ${max}` : min !== undefined ? `at least ${min}` : max !== undefined ? `at most ${max}` : "supported";
  const terms = Object.entries(when ?? {}).map(([name, of]) => `${words(name)} is ${of.map(said).join(" or ")}`);
  return `${range}${usual === undefined ? "" : `, ${said(usual)} if left out`}${required ? ", must be given" : ""}${terms.length > 0 ? ` when ${terms.join(" and ")}` : ""}`;
}

/** The conditions of a price in words; "" for none. */
export function conditionsOf(price: Price): string {
  const terms = [
    price.service_tier && price.service_tier !== "standard" && `${price.service_tier} tier`,
    price.above_input_tokens && `above ${Number(price.above_input_tokens).toLocaleString("en")} input tokens`,
    price.operation && words(price.operation),
    price.cache_lifetime && `kept for ${price.cache_lifetime}`,
    price.region && `in ${price.region}`,
    price.variant && `variant ${price.variant}`,
    price.tool && `tool ${price.tool}`,
    price.valid_from && `from ${price.valid_from}`,
    price.valid_until && `until ${price.valid_until}`,
    price.window && `${price.window.days.join(" ")} ${price.window.start}–${price.window.end} (UTC${price.window.utc_offset})`,
    price.free_units_per_month && `${Number(price.free_units_per_month).toLocaleString("en")} a month free of charge`,
    price.untrusted && "from a layer that is not trusted",
    price.note,
  ];
  return terms.filter(Boolean).join(" · ");
}

/** A price in one line. */
export function priceLine(price: Price): string {
  const { amount, per } = priceParts(price);
  const conditions = conditionsOf(price);
  return `${amount} ${per}${conditions && ` (${conditions})`}`;
}
