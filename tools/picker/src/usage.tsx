import { useMemo, useState } from "preact/hooks";
import { NumberField } from "./field.tsx";
import type { Route, Section } from "./file.ts";
import { type State, usualCalls } from "./state.ts";
import { grouped, parseCount, words } from "./words.ts";

interface Props {
  readonly state: State;
  readonly section: Section;
  readonly routes: readonly Route[];
  readonly change: (patch: Partial<State>) => void;
}

const isCount = (text: string) => parseCount(text) !== undefined;
const hint = "a whole number, such as 3000, 128k or 1.5m";

/** What I use, as a sentence. */
export function UsageForm({ state, section, routes, change }: Props) {
  const usual = new Map(section.usual.map(({ meter, count }) => [meter, count]));
  const { meters, tiers, regions } = useMemo(() => pricedBy(section, routes), [section, routes]);
  const [added, setAdded] = useState<readonly string[]>([]);
  const asked = section.meters.filter((meter) => usual.has(meter) || state.counts[meter] !== undefined || added.includes(meter));
  const more = meters.filter((meter) => !asked.includes(meter) && meter !== "request");

  const count = (meter: string, text: string) => {
    const { [meter]: _, ...rest } = state.counts;
    const number = parseCount(text);
    change({ counts: number === undefined || number === BigInt(usual.get(meter) ?? -1) ? rest : { ...rest, [meter]: text } });
  };

  return (
    <fieldset class="usage">
      <legend>What do I use?</legend>
      <NumberField label="Number of calls" value={state.calls} reads={isCount} hint={hint} after="calls, each with" width={8} change={(text) => change({ calls: text || usualCalls })} />
      {asked.map((meter) => (
        <span class="meter" key={meter}>
          <NumberField label={`${words(meter)}s of one call`} value={state.counts[meter] ?? (usual.has(meter) ? grouped(String(usual.get(meter))) : "")} reads={isCount}
            hint={hint} after={`${words(meter)}s`} placeholder="0" change={(text) => count(meter, text)} />
          {!usual.has(meter) && (
            <button type="button" class="less" aria-label={`Leave out ${words(meter)}s`} onClick={() => (setAdded(added.filter((m) => m !== meter)), count(meter, ""))}>×</button>
          )}
        </span>
      ))}
      {more.length > 0 && (
        <label class="more">
          <span class="sr">Count something else too</span>
          <select value="" onChange={(e) => { const meter = e.currentTarget.value; e.currentTarget.value = ""; setAdded([...added, meter]); }}>
            <option value="">and also …</option>
            {more.map((meter) => <option key={meter} value={meter}>{words(meter)}s</option>)}
          </select>
        </label>
      )}
      <span class="terms">
        {tiers.length > 0 && (
          <label>service tier{" "}
            <select value={state.tier} onChange={(e) => change({ tier: e.currentTarget.value })}>
              <option value="">standard</option>
              {tiers.map((tier) => <option key={tier}>{tier}</option>)}
            </select>
          </label>
        )}
        {regions.length > 0 && (
          <label>region{" "}
            <select value={state.region} onChange={(e) => change({ region: e.currentTarget.value })}>
              <option value="">none in particular</option>
              {regions.map((region) => <option key={region}>{region}</option>)}
            </select>
          </label>
        )}
        <label>prices of{" "}
          <input type="date" value={state.at} title="left empty: now" onChange={(e) => change({ at: e.currentTarget.value })} />
          {!state.at && <span class="now">now</span>}
        </label>
      </span>
    </fieldset>
  );
}

/** What the price lists of an operation's routes know. */
function pricedBy(section: Section, routes: readonly Route[]) {
  const meters = new Set<string>();
  const tiers = new Set<string>();
  const regions = new Set<string>();
  for (const prices of new Set(routes.map((route) => route.prices))) {
    for (const price of prices ?? []) {
      meters.add(price.meter);
      if (price.service_tier && price.service_tier !== "standard") tiers.add(price.service_tier);
      if (price.region) regions.add(price.region);
    }
  }
  return { meters: section.meters.filter((meter) => meters.has(meter)), tiers: [...tiers].sort(), regions: [...regions].sort() };
}
