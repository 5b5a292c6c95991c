// What is chosen on the page, and the same as the hash of its address.

import type { LifeState, PickerFile, Support } from "./file.ts";
import { lifeStates, supports } from "./file.ts";
import { parseCount, parseMoney } from "./words.ts";

export const sorts = { cost: "cost, lowest first", context: "context, largest first", released: "released, newest first", support: "support, strongest first", name: "name" } as const;
export type Sort = keyof typeof sorts;

export interface State {
  readonly operation: string;
  readonly query: string;
  /** what a route must have: of each facet, all the values */
  readonly facets: { readonly [facet: string]: readonly string[] };
  readonly providers: readonly string[];
  readonly context: string;
  readonly most: string;
  readonly life: readonly LifeState[];
  readonly support: Support | "";
  /** of one call; what is not here is counted as in a usual call */
  readonly counts: { readonly [meter: string]: string };
  readonly calls: string;
  readonly tier: string;
  readonly region: string;
  /** a day, or now */
  readonly at: string;
  readonly sort: Sort;
  /** the row whose details are open */
  readonly open: string;
  /** the rows that are compared */
  readonly compare: readonly string[];
}

export const usualLife: readonly LifeState[] = ["active", "announced"];
export const usualCalls = "1000";
export const mostCompared = 6;

/** What one sees first of an operation. */
export function initial(operation: string): State {
  return {
    operation, query: "", facets: {}, providers: [], context: "", most: "", life: usualLife, support: "",
    counts: {}, calls: usualCalls, tier: "", region: "", at: "", sort: "cost", open: "", compare: [],
  };
}

/** The same wishes for another operation, as far as they mean anything there. */
export function forOperation(state: State, operation: string): State {
  const { providers, life, support, at, region, query } = state;
  return { ...initial(operation), providers, life, support, at, region, query };
}

/** The number of filters that are set. */
export function filtersSet(state: State): number {
  const facets = Object.values(state.facets).reduce((sum, values) => sum + values.length, 0);
  const life = state.life.join() === usualLife.join() ? 0 : 1;
  return facets + state.providers.length + life + (state.context ? 1 : 0) + (state.most ? 1 : 0) + (state.support ? 1 : 0);
}

export function withoutFilters(state: State): State {
  return { ...state, facets: {}, providers: [], context: "", most: "", life: usualLife, support: "", query: "" };
}

/** The hash of an address that shows the same. What is as it is at first is left out. */
export function toHash(state: State): string {
  const p = new URLSearchParams();
  const put = (name: string, value: string, usual = "") => value !== usual && p.append(name, value);
  p.append("operation", state.operation);
  put("q", state.query);
  for (const [facet, values] of Object.entries(state.facets).sort()) {
    for (const value of values) p.append(`has.${facet}`, value);
  }
  for (const id of state.providers) p.append("provider", id);
  put("context", state.context);
  put("most", state.most);
  if (state.life.join() !== usualLife.join()) put("life", state.life.join() || "none");
  put("support", state.support);
  put("calls", state.calls, usualCalls);
  for (const [meter, count] of Object.entries(state.counts).sort()) p.append(`use.${meter}`, count);
  put("tier", state.tier);
  put("region", state.region);
  put("at", state.at);
  put("sort", state.sort, "cost");
  put("open", state.open);
  for (const id of state.compare) p.append("compare", id);
  return `#${p}`;
}

/** Reads such a hash. What it says wrong is left out: anybody may have written the address. */
export function fromHash(hash: string, file: PickerFile, facets: readonly string[]): State {
  const p = new URLSearchParams(hash.replace(/^#/, ""));
  const text = (name: string) => p.get(name) ?? "";
  const among = <T extends string>(name: string, words: readonly T[], usual: T): T => words.find((word) => word === text(name)) ?? usual;
  const operations = Object.keys(file.operations);
  const state = initial(among("operation", operations, operations[0] ?? ""));
  const meters = file.operations[state.operation]?.meters ?? [];
  const life = text("life").split(",");
  return {
    ...state,
    query: text("q"),
    facets: Object.fromEntries(facets.filter((facet) => p.has(`has.${facet}`)).map((facet) => [facet, [...new Set(p.getAll(`has.${facet}`))]])),
    providers: [...new Set(p.getAll("provider"))].filter((id) => Object.hasOwn(file.providers, id)),
    context: parseCount(text("context")) === undefined ? "" : text("context"),
    most: parseMoney(text("most")) === undefined ? "" : text("most"),
    life: p.has("life") ? lifeStates.filter((word) => life.includes(word)) : usualLife,
    support: among("support", supports, "" as Support),
    calls: parseCount(text("calls")) === undefined ? usualCalls : text("calls"),
    counts: Object.fromEntries(meters.map((meter) => [meter, text(`use.${meter}`)]).filter(([, count]) => parseCount(count!) !== undefined)),
    tier: text("tier"),
    region: text("region"),
    at: /^\d{4}-\d\d-\d\d$/.test(text("at")) && !Number.isNaN(Date.parse(text("at"))) ? text("at") : "",
    sort: among("sort", Object.keys(sorts) as Sort[], "cost"),
    open: text("open"),
    compare: [...new Set(p.getAll("compare"))].slice(0, mostCompared),
  };
}
