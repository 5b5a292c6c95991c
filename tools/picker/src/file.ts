// What picker.json holds, and the routes that it makes.

import { lifecycleState, milliseconds } from "../../../projections/ts/package/lifecycle.js";
import type { Price, RowLifecycle } from "../../../projections/ts/package/types.js";

export interface PickerFile {
  readonly schema: string;
  readonly catalog: string;
  readonly as_of: string;
  readonly operations: { readonly [operation: string]: Section };
  readonly providers: { readonly [id: string]: Provider };
  readonly rows: readonly Row[];
  readonly listed: readonly Row[];
  readonly prices: readonly (readonly Price[])[];
  readonly evidence: readonly Evidence[];
  readonly aliases?: { readonly [name: string]: { readonly [operation: string]: { readonly row: string } } };
  readonly defaults?: { readonly [operation: string]: { readonly [purpose: string]: { readonly [provider: string]: string } } };
  readonly presentation?: { readonly featured_providers?: readonly string[] };
}

export interface Section {
  readonly version: string;
  readonly summary: string;
  readonly input_kinds: readonly string[];
  readonly settings: readonly string[];
  readonly meters: readonly string[];
  readonly usual: readonly { readonly meter: string; readonly count: number }[];
  readonly routes: { readonly row: readonly number[]; readonly contract: readonly number[]; readonly settings: readonly number[]; readonly evidence: readonly number[] };
  readonly contracts: readonly Contract[];
  readonly setting_lists: readonly Settings[];
}

export interface Provider {
  readonly name: string;
  readonly kind?: string;
  readonly docs?: string;
  readonly data_controls?: DataControls;
  readonly platform_fee_percent?: string;
  readonly presentation?: { readonly display_name?: string };
}

export interface DataControls {
  readonly training_default?: string;
  readonly retention_default?: string;
}

export interface Row {
  readonly id: string;
  readonly name?: string;
  readonly logical_model?: string;
  readonly served_variant?: string;
  readonly released?: string;
  readonly snapshot?: string;
  readonly selects?: string;
  readonly current?: string;
  readonly limits?: { readonly context_tokens?: number; readonly input_tokens?: number; readonly output_tokens?: number; readonly runtime_context_tokens?: number };
  readonly lifecycle?: RowLifecycle;
  readonly price?: number;
  readonly region?: readonly { readonly name: string }[];
  readonly regional_only?: boolean;
  readonly availability?: string;
  readonly data_controls?: DataControls;
  readonly listed_as?: readonly string[];
  readonly presentation?: { readonly display_name?: string; readonly blurb?: string; readonly tier?: string; readonly strengths?: readonly string[]; readonly tags?: readonly string[] };
  readonly metadata?: { readonly family?: string; readonly open_weight?: boolean };
}

export interface Contract {
  readonly protocol: readonly (string | { readonly protocol: string })[];
  readonly input_kinds: readonly string[];
  readonly output_kinds?: readonly string[];
  readonly meters?: readonly string[];
  readonly limits?: { readonly [limit: string]: number };
  readonly [key: string]: unknown;
}

/** What a setting may be; lists of lists name settings that exclude each other. */
export interface Settings {
  readonly [name: string]: "supported" | "refused" | readonly Clause[] | readonly (readonly string[])[];
}

export interface Clause {
  readonly values?: readonly (string | boolean)[];
  readonly min?: string;
  readonly max?: string;
  readonly default?: string | boolean;
  readonly required?: boolean;
  readonly when?: { readonly [name: string]: readonly (string | boolean)[] };
}

export interface Evidence {
  readonly support?: Support;
  readonly source?: string;
  readonly checked_on?: string;
  readonly probed_on?: string;
}

export type Support = "declared" | "documented" | "probed";
export type LifeState = "active" | "announced" | "deprecated" | "ended";

export const supports: readonly Support[] = ["declared", "documented", "probed"];
export const lifeStates: readonly LifeState[] = ["active", "announced", "deprecated", "ended"];

export interface Route {
  /** operation:provider/wire_model */
  readonly id: string;
  readonly operation: string;
  readonly row: Row;
  readonly contract: Contract;
  readonly settings: Settings;
  readonly evidence: Evidence;
  /** none if nobody stated a price: that is not an empty list's worth of free */
  readonly prices: readonly Price[] | undefined;
  readonly provider: string;
  readonly providerName: string;
  readonly name: string;
  /** other names that mean it for this operation */
  readonly aliases: readonly string[];
  /** what it is the default for, among its provider's or all */
  readonly defaults: readonly string[];
  /** unknown if nobody stated it */
  readonly context: number | undefined;
  /** what a search looks at */
  readonly text: string;
}

const known = "opcat.picker@1";

/** Checks that a value is a file that this page reads. */
export function openFile(value: unknown): PickerFile {
  if (typeof value !== "object" || value === null) {
    throw new Error("picker.js was not loaded: it lies beside index.html, and both must be kept together");
  }
  const file = value as PickerFile;
  if (file.schema !== known) {
    throw new Error(`picker.js says that it is ${JSON.stringify(file.schema)}, and this page reads ${known}: take both from the same gen/picker`);
  }
  return file;
}

/** The routes of an operation, in the order of row ids. */
export function routesOf(file: PickerFile, operation: string): Route[] {
  const of = file.operations[operation];
  if (!of) return [];
  const aliases = byRow(Object.entries(file.aliases ?? {}).map(([name, rows]) => [rows[operation]?.row, name]));
  const defaults = byRow(Object.entries(file.defaults?.[operation] ?? {}).flatMap(([purpose, rows]) => Object.entries(rows).map(([provider, row]) => [row, `${purpose}, ${provider === "any" ? "any provider" : "its provider"}`] as const)));
  return of.routes.row.map((n, i) => {
    const row = file.rows[n]!;
    const provider = row.id.slice(0, row.id.indexOf("/"));
    const name = nameOf(row);
    const providerName = providerLabel(file, provider);
    const also = aliases.get(row.id) ?? [];
    const chosen = defaults.get(row.id) ?? [];
    return {
      id: `${operation}:${row.id}`,
      operation,
      row,
      contract: of.contracts[of.routes.contract[i]!]!,
      settings: of.setting_lists[of.routes.settings[i]!]!,
      evidence: file.evidence[of.routes.evidence[i]!]!,
      prices: row.price === undefined ? undefined : file.prices[row.price]!,
      provider,
      providerName,
      name,
      aliases: also,
      defaults: chosen,
      context: contextOf(row),
      text: `${name} ${row.id} ${providerName} ${row.logical_model ?? ""} ${also.join(" ")} ${chosen.map((what) => `default ${what}`).join(" ")}`,
    };
  });
}

function byRow(entries: readonly (readonly [row: string | undefined, name: string])[]): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const [row, name] of entries) {
    if (row !== undefined) names.set(row, [...(names.get(row) ?? []), name]);
  }
  return names;
}

export function nameOf(row: Row): string {
  return row.presentation?.display_name ?? row.name ?? row.id.slice(row.id.indexOf("/") + 1);
}

export function providerLabel(file: PickerFile, id: string): string {
  const provider = file.providers[id];
  return provider?.presentation?.display_name ?? provider?.name ?? id;
}

function contextOf(row: Row): number | undefined {
  const sizes = [row.limits?.context_tokens, row.limits?.runtime_context_tokens].filter((size) => size !== undefined).map(Number);
  return sizes.length > 0 ? Math.min(...sizes) : undefined;
}

/** Where a row stands in its life at a moment. */
export function stateOf(row: Row, at: Date): LifeState {
  return row.lifecycle ? (lifecycleState(row, at)) : "active";
}

/** The first end of a row, if one is told. */
export function endOf(row: Row): string | undefined {
  const ends = [row.lifecycle?.ends_on, row.lifecycle?.announced_end].filter((end) => end !== undefined);
  return ends.sort((a, b) => milliseconds(a) - milliseconds(b))[0];
}

/** The names of the protocols of a contract, the first that fits serves. */
export function protocolsOf(contract: Contract): string[] {
  return [...new Set(contract.protocol.map((item) => (typeof item === "string" ? item : item.protocol)))];
}

/** What happens to what is sent: the row says it, or else its provider. */
export function dataControls(file: PickerFile, route: Route): DataControls {
  return { ...file.providers[route.provider]?.data_controls, ...route.row.data_controls };
}
