// What my usage costs on a route. The arithmetic is that of the TypeScript package.

import { cost, rate, total } from "../../../projections/ts/package/price.js";
import type { Call, Receipt, Usage, Why } from "../../../projections/ts/package/price.js";
import { cacheLifetimes, meters } from "../../../projections/ts/package/registry.js";
import type { Operation, Price } from "../../../projections/ts/package/types.js";
import { type Contract, type Route, protocolsOf } from "./file.ts";
import { grouped, words } from "./words.ts";

export interface MyUsage {
  /** what one call uses of each meter */
  readonly counts: { readonly [meter: string]: bigint };
  readonly calls: bigint;
  /** "" is the standard one */
  readonly tier: string;
  /** "" is none in particular */
  readonly region: string;
  readonly at: Date;
}

/**
 * A cost that is exact, or the reasons why nobody can say. Thousands are put in order, and few are shown: what only those
 * need is made when it is asked for.
 */
export class Cost {
  /** of all calls in whole 10^-24 dollars; none if it is unknown */
  readonly amount: bigint | undefined;
  readonly #route: Route;
  readonly #calls: bigint;
  readonly #asked: Asked;
  #receipt: Receipt | undefined;

  constructor(route: Route, asked: Asked, calls: bigint) {
    this.#route = route;
    this.#calls = calls;
    this.#asked = asked;
    const one = total(...asked);
    this.amount = one === undefined ? undefined : one * calls;
  }

  /** of one call, line by line */
  get receipt(): Receipt {
    return (this.#receipt ??= cost(...this.#asked));
  }

  /** of all calls */
  get usd(): string | undefined {
    return this.amount === undefined ? undefined : times(this.receipt.usd!, this.#calls);
  }

  get why(): string {
    return whyUnknown(this.#route, this.receipt);
  }
}

type Asked = Parameters<typeof cost>;

/** How a contract bills a usage. What has the same key and the same prices costs the same. */
interface Terms {
  readonly key: string;
  readonly usage: Usage;
  readonly call: Call;
}

/** Prices routes for one usage. Routes with the same prices and meters are priced once. */
export class Pricer {
  readonly #usage: MyUsage;
  readonly #lines: Usage["lines"];
  readonly #known = new Map<readonly Price[] | undefined, Map<string, Cost>>();
  readonly #terms = new Map<Contract, Terms>();

  constructor(usage: MyUsage) {
    this.#usage = usage;
    this.#lines = Object.entries(usage.counts).map(([meter, count]) => ({ meter, count }));
  }

  cost(route: Route): Cost {
    const { key, usage, call } = this.#termsOf(route);
    let known = this.#known.get(route.prices);
    if (!known) this.#known.set(route.prices, (known = new Map()));
    let found = known.get(key);
    if (!found) known.set(key, (found = new Cost(route, [route.prices ?? [], usage, call], this.#usage.calls)));
    return found;
  }

  #termsOf({ operation, contract }: Route): Terms {
    let terms = this.#terms.get(contract);
    if (!terms) {
      const lifetime = cacheLifetimes[protocolsOf(contract)[0] ?? ""];
      terms = { key: `${operation} ${lifetime ?? ""} ${contract.meters?.join() ?? "*"}`, usage: this.#billed(contract), call: this.#call(operation, lifetime) };
      this.#terms.set(contract, terms);
    }
    return terms;
  }

  /**
   * The part of my usage that the route bills, as selection has it. Only a contract that says what it is billed by leaves
   * anything out: what merely has no price stays, and makes the cost unknown.
   */
  #billed(contract: Contract): Usage {
    const billed = contract.meters;
    if (!billed) return { lines: this.#lines };
    const lines = this.#lines.filter(({ meter }) => billed.includes(meter));
    return { lines: lines.length === 0 && billed.includes("request") ? [{ meter: "request", count: 1 }] : lines };
  }

  #call(operation: string, lifetime: string | undefined): Call {
    const { tier, region, at } = this.#usage;
    return {
      operation: operation as Operation,
      at,
      ...(tier && { service_tier: tier }),
      ...(region && { region }),
      ...(lifetime && { cache_lifetime: lifetime }),
    };
  }

  /** What one of a meter costs in such a call: its price of a million, or of one. */
  rate(route: Route, meter: string): { price?: Price; unknown?: Why } {
    if (route.contract.meters && !route.contract.meters.includes(meter)) return {};
    const { usage, call } = this.#termsOf(route);
    const input = usage.lines.reduce((sum, line) => (meters[line.meter]?.input ? sum + BigInt(line.count) : sum), 0n);
    return rate(route.prices ?? [], meter, call, input);
  }
}

/** So many calls of a cost each: the price of a request, so many times. */
function times(usd: string, calls: bigint): string {
  if (calls === 1n) return usd;
  return cost([{ meter: "request", usd_per_unit: usd }], { lines: [{ meter: "request", count: calls }] }).usd!;
}

const reasons: { readonly [why in Why]: string } = {
  not_priced: "no price stated",
  dynamic: "changes from call to call",
  other_currency: "not priced in USD",
  untrusted: "price not trusted",
  overlapping: "prices contradict",
  wrong_amount: "price not readable",
  no_lifetime: "depends on the cache lifetime",
  no_time: "depends on the time",
  not_counted: "not counted",
  input_uncounted: "input not counted",
  no_usage: "bills none of what you use",
  count_below_zero: "count below zero",
};

function whyUnknown(route: Route, receipt: Receipt): string {
  if (!route.prices) return "no price stated";
  if (receipt.unknown) return reasons[receipt.unknown];
  const why = new Map<string, string[]>();
  for (const line of receipt.lines) {
    if (line.unknown) why.set(line.unknown, [...(why.get(line.unknown) ?? []), words(line.meter)]);
  }
  return [...why].map(([reason, of]) => `${reasonOf(reason as Why)} (${of.join(", ")})`).join("; ");
}

export function reasonOf(why: Why): string {
  return reasons[why];
}

/** A price as people say it: the amount and what it is for. */
export function priceParts(price: Price): { amount: string; per: string } {
  const million = meters[price.meter]?.million;
  const per = million ? `per million ${words(price.meter)}s` : `per ${words(price.meter)}`;
  const usd = price.usd_per_million ?? price.usd_per_unit;
  if (usd !== undefined) return { amount: money(usd), per };
  const other = price.per_million ?? price.per_unit;
  if (price.currency && other !== undefined) return { amount: `${other} ${price.currency}`, per };
  if (price.dynamic) return { amount: price.ceiling ? `at most ${money(price.ceiling)}` : "changes from call to call", per };
  return { amount: "unknown", per };
}

/** Every digit of an amount in dollars, at least two behind the point; free where it is nothing. */
export function money(usd: string): string {
  if (usd === "0") return "free";
  const [whole, fraction = ""] = usd.split(".");
  return `$${grouped(whole!)}.${fraction.padEnd(2, "0")}`;
}
