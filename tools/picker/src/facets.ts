// What routes can be told apart by, besides numbers. Most of it is read off the
// contracts, so that an operation with new keys has them here without a line of ours.

import { type PickerFile, type Route, type Settings, dataControls } from "./file.ts";
import { title, words } from "./words.ts";

export interface Facet {
  readonly name: string;
  readonly title: string;
  readonly values: readonly { readonly value: string; readonly label: string; readonly count: number }[];
  readonly has: (route: Route, value: string) => boolean;
}

const titles: { readonly [name: string]: string } = { input_kinds: "Takes", output_kinds: "Gives back", question_kinds: "Answers", can: "Can", accepts: "Accepts the option", policy: "Data policy" };
/** Lists of a contract that are no wish of anybody who chooses. */
const unasked = ["protocol", "meters"];

const abilities: readonly { readonly value: string; readonly label: string; readonly has: (route: Route) => boolean }[] = [
  { value: "tools", label: "call tools", has: (r) => member(r, "tools", "native") === true },
  { value: "schema", label: "follow a JSON schema", has: (r) => accepts(r.settings, "response_schema") },
  { value: "reason", label: "reason at a chosen effort", has: (r) => accepts(r.settings, "effort") || accepts(r.settings, "thinking") },
  { value: "cache", label: "cache a prompt", has: (r) => member(r, "cache", "on") === true },
  { value: "batch", label: "serve batches at a price of their own", has: (r) => r.prices?.some((p) => p.service_tier === "batch") ?? false },
  { value: "open_weight", label: "be run by yourself (open weights)", has: (r) => r.row.metadata?.open_weight === true },
];

function member(route: Route, table: string, name: string): unknown {
  return (route.contract[table] as { readonly [name: string]: unknown } | undefined)?.[name];
}

/** Whether an option may be asked for at all. One that nobody speaks of is refused. */
export function accepts(settings: Settings, name: string): boolean {
  const setting = settings[name];
  return setting !== undefined && setting !== "refused";
}

/** What routes of an operation can be asked for. */
export function facetsOf(file: PickerFile, operation: string, routes: readonly Route[]): Facet[] {
  const section = file.operations[operation];
  if (!section) return [];
  const lists = new Map<string, Set<string>>();
  for (const contract of section.contracts) {
    for (const [key, value] of Object.entries(contract)) {
      if (!Array.isArray(value) || unasked.includes(key) || !value.every((item) => typeof item === "string")) continue;
      if (!lists.has(key)) lists.set(key, new Set());
      for (const item of value) lists.get(key)!.add(item);
    }
  }
  /** Few contracts and settings stand behind many routes: a facet is asked of one route with each, and counts for all. */
  const facet = (name: string, by: (route: Route) => unknown, values: readonly { value: string; label: string }[], has: Facet["has"]): Facet => {
    const groups = new Map<unknown, { route: Route; routes: number }>();
    for (const route of routes) {
      const group = groups.get(by(route));
      if (group) group.routes++;
      else groups.set(by(route), { route, routes: 1 });
    }
    const alike = [...groups.values()];
    return {
      name,
      title: titles[name] ?? title(name),
      has,
      values: values.map((v) => ({ ...v, count: alike.reduce((n, { route, routes }) => n + (has(route, v.value) ? routes : 0), 0) })).filter((v) => v.count > 0),
    };
  };
  const named = (values: readonly string[]) => values.map((value) => ({ value, label: words(value) }));
  const order = (key: string, values: Set<string>) => (key === "input_kinds" ? section.input_kinds.filter((kind) => values.has(kind)) : [...values]);
  return [
    ...[...lists].map(([key, values]) => facet(key, (route) => route.contract, named(order(key, values)), (route, value) => (route.contract[key] as readonly string[] | undefined)?.includes(value) ?? false)),
    facet("can", (route) => route, abilities, (route, value) => abilities.find((a) => a.value === value)?.has(route) ?? false),
    facet("accepts", (route) => route.settings, named(section.settings), (route, value) => accepts(route.settings, value)),
    facet("policy", (route) => route.row.data_controls ?? route.provider, [{ value: "untrained", label: "does not train on what you send" }, { value: "unretained", label: "does not keep what you send" }], (route, value) => {
      const controls = dataControls(file, route);
      return value === "untrained" ? controls.training_default === "does_not_train" : value === "unretained" && controls.retention_default === "not_retained";
    }),
  ];
}
