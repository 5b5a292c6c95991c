// Which routes are shown, in which order.

import uFuzzy from "@leeoniya/ufuzzy";
import { dollars } from "../../../projections/ts/package/price.js";
import type { Cost, Pricer } from "./cost.ts";
import type { Facet } from "./facets.ts";
import { type LifeState, type Route, stateOf, supports } from "./file.ts";
import type { Sort, State } from "./state.ts";
import { parseCount, parseMoney } from "./words.ts";

export interface Choice {
  readonly route: Route;
  readonly cost: Cost;
  readonly life: LifeState;
}

export interface Choices {
  readonly shown: readonly Choice[];
  /** routes that only what nobody stated keeps out */
  readonly unknownContext: number;
  readonly unknownCost: number;
}

/** The routes that are asked for. A bound on what is unknown keeps a route out, and it is counted. */
export function choose(routes: readonly Route[], state: State, facets: readonly Facet[], pricer: Pricer, at: Date): Choices {
  const context = Number(parseCount(state.context) ?? 0n);
  const bound = parseMoney(state.most);
  const most = bound === undefined ? undefined : dollars(bound);
  const asked = facets.flatMap((facet) => (state.facets[facet.name] ?? []).map((value) => ({ facet, value })));
  const providers = new Set(state.providers);
  const life = new Set(state.life);
  const support = state.support ? supports.indexOf(state.support) : -1;
  const found = search(routes, state.query);
  let unknownContext = 0;
  let unknownCost = 0;
  const shown: Choice[] = [];
  for (const route of routes) {
    if (found && !found.has(route)) continue;
    if (providers.size > 0 && !providers.has(route.provider)) continue;
    const state = stateOf(route.row, at);
    if (!life.has(state)) continue;
    if (support >= 0 && supports.indexOf(route.evidence.support as never) < support) continue;
    if (!asked.every(({ facet, value }) => facet.has(route, value))) continue;
    if (context > 0 && (route.context ?? 0) < context) {
      if (route.context === undefined) unknownContext++;
      continue;
    }
    const cost = pricer.cost(route);
    if (most !== undefined && (cost.amount === undefined || cost.amount > most)) {
      if (cost.amount === undefined) unknownCost++;
      continue;
    }
    shown.push({ route, cost, life: state });
  }
  return { shown: sorted(shown, state.sort), unknownContext, unknownCost };
}

/** In each order what is unknown comes last; among equals the cheaper is first, then the order of ids. */
function sorted(choices: Choice[], by: Sort): Choice[] {
  const compare = orders[by];
  return choices.sort((a, b) => compare(a, b) || byCost(a.cost, b.cost));
}

export function byCost({ amount: a }: Cost, { amount: b }: Cost): number {
  if (a === undefined || b === undefined) return (a === undefined ? 1 : 0) - (b === undefined ? 1 : 0);
  return a < b ? -1 : a > b ? 1 : 0;
}

const names = new Intl.Collator("en", { numeric: true });

const orders: { readonly [by in Sort]: (a: Choice, b: Choice) => number } = {
  cost: (a, b) => byCost(a.cost, b.cost),
  context: (a, b) => (b.route.context ?? -1) - (a.route.context ?? -1),
  released: (a, b) => ((a.route.row.released ?? "") < (b.route.row.released ?? "") ? 1 : (a.route.row.released ?? "") > (b.route.row.released ?? "") ? -1 : 0),
  support: (a, b) => supports.indexOf(b.route.evidence.support as never) - supports.indexOf(a.route.evidence.support as never),
  name: (a, b) => names.compare(a.route.name, b.route.name),
};

const fuzzy = new uFuzzy({ intraMode: 1 });
const haystacks = new WeakMap<readonly Route[], string[]>();

/** The routes that a text finds; undefined if it asks for nothing. */
function search(routes: readonly Route[], query: string): Set<Route> | undefined {
  const needle = query.trim();
  if (!needle) return undefined;
  let haystack = haystacks.get(routes);
  if (!haystack) haystacks.set(routes, (haystack = routes.map((route) => route.text.toLowerCase())));
  const wanted = needle.toLowerCase().split(/\s+/);
  const exact = haystack.flatMap((text, i) => (wanted.every((word) => text.includes(word)) ? [i] : []));
  // What matches letter by letter is what was meant; only where nothing does, a slip of the finger is looked past.
  const found = exact.length > 0 ? exact : (fuzzy.search(haystack, needle, 1)[0] ?? []);
  return new Set(found.map((i) => routes[i]!));
}
