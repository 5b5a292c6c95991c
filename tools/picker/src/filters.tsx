import { useMemo, useState } from "preact/hooks";
import type { Facet } from "./facets.ts";
import { NumberField } from "./field.tsx";
import { type LifeState, type PickerFile, type Route, type Support, lifeStates, providerLabel } from "./file.ts";
import type { State } from "./state.ts";
import { Text } from "./text.tsx";
import { grouped, parseCount, parseMoney, plural, words } from "./words.ts";

interface Props {
  readonly file: PickerFile;
  readonly state: State;
  readonly routes: readonly Route[];
  readonly facets: readonly Facet[];
  readonly set: number;
  readonly change: (patch: Partial<State>) => void;
  readonly reset: () => void;
}

const lifeLabels: { readonly [state in LifeState]: string } = { active: "served", announced: "served, end announced", deprecated: "advised against", ended: "ended" };

const supportLabels: readonly (readonly [Support | "", string])[] = [["", "any"], ["declared", "declared by a catalog, or better"], ["documented", "documented by the vendor, or better"], ["probed", "seen in a live call"]];

export function Filters({ file, state, routes, facets, set, change, reset }: Props) {
  const [shown, show] = useState(false);
  const choose = (facet: string, value: string, on: boolean) => {
    const values = state.facets[facet] ?? [];
    const { [facet]: _, ...rest } = state.facets;
    const next = on ? [...values, value] : values.filter((v) => v !== value);
    change({ facets: next.length > 0 ? { ...rest, [facet]: next } : rest });
  };
  return (
    <section class="filters" aria-label="Filters" data-shown={shown ? "" : undefined}>
      <div class="head">
        <button type="button" class="fold" aria-expanded={shown} aria-controls="filters" onClick={() => show(!shown)}>Filters{set > 0 && ` (${set})`}</button>
        <h2>Filters</h2>
        {set > 0 && <button type="button" class="link" onClick={reset}>Clear {plural(set, "filter")}</button>}
      </div>
      <div id="filters" class="groups">
        {facets.filter((f) => f.name === "input_kinds").map((f) => <FacetGroup key={f.name} facet={f} all={routes.length} state={state} choose={choose} />)}
        <fieldset>
          <legend>Context of at least</legend>
          <NumberField label="Context of at least, in tokens" value={state.context} reads={(t) => parseCount(t) !== undefined} hint="tokens, such as 200000, 128k or 1m" after="tokens" placeholder="any"
            list="contexts" width={10} change={(context) => change({ context })} />
          <datalist id="contexts">{["8k", "32k", "128k", "200k", "400k", "1m"].map((size) => <option key={size} value={size} />)}</datalist>
        </fieldset>
        <fieldset>
          <legend>My usage costs at most</legend>
          <NumberField label="My usage costs at most, in US dollars" value={state.most} reads={(t) => parseMoney(t) !== undefined} hint="US dollars, such as 5 or 0.25" before="$" placeholder="any"
            width={10} change={(most) => change({ most })} />
        </fieldset>
        {facets.filter((f) => f.name !== "input_kinds" && f.name !== "accepts" && f.name !== "policy").map((f) => <FacetGroup key={f.name} facet={f} all={routes.length} state={state} choose={choose} />)}
        <Providers key={state.operation} file={file} state={state} routes={routes} change={change} />
        <fieldset>
          <legend>Lifecycle</legend>
          {lifeStates.map((life) => (
            <label class="check" key={life}>
              <input type="checkbox" checked={state.life.includes(life)} onChange={(e) => {
                const on = e.currentTarget.checked;
                change({ life: lifeStates.filter((l) => (l === life ? on : state.life.includes(l))) });
              }} />
              <span>{lifeLabels[life]}</span>
            </label>
          ))}
        </fieldset>
        <fieldset>
          <legend>Support</legend>
          <select aria-label="Support of at least" value={state.support} onChange={(e) => change({ support: e.currentTarget.value as Support | "" })}>
            {supportLabels.map(([value, label]) => <option key={value} value={value}>{label}</option>)}
          </select>
        </fieldset>
        {facets.filter((f) => f.name === "accepts" || f.name === "policy").map((f) => <FacetGroup key={f.name} facet={f} all={routes.length} state={state} choose={choose} folded={f.name === "accepts"} />)}
      </div>
    </section>
  );
}

interface GroupProps {
  readonly facet: Facet;
  readonly all: number;
  readonly state: State;
  readonly choose: (facet: string, value: string, on: boolean) => void;
  readonly folded?: boolean;
}

/** The values of a facet that tell routes apart, and those that are asked for, be it in vain. */
function FacetGroup({ facet, all, state, choose, folded }: GroupProps) {
  const on = state.facets[facet.name] ?? [];
  const unknown = on.filter((value) => !facet.values.some((v) => v.value === value)).map((value) => ({ value, label: words(value), count: 0 }));
  const shown = [...facet.values.filter(({ value, count }) => count < all || on.includes(value)), ...unknown];
  if (shown.length === 0) return null;
  const boxes = shown.map(({ value, label, count }) => (
    <label class="check" key={value}>
      <input type="checkbox" checked={on.includes(value)} onChange={(e) => choose(facet.name, value, e.currentTarget.checked)} />
      <Text of={label} /> <span class="count">{grouped(count)}</span>
    </label>
  ));
  if (!folded) return <fieldset><legend>{facet.title}</legend>{boxes}</fieldset>;
  return (
    <details open={on.length > 0}>
      <summary>{facet.title}{on.length > 0 && ` (${on.length})`}</summary>
      <fieldset><legend class="sr">{facet.title}</legend>{boxes}</fieldset>
    </details>
  );
}

const few = 8;

function Providers({ file, state, routes, change }: Pick<Props, "file" | "state" | "routes" | "change">) {
  const [query, setQuery] = useState("");
  const [all, showAll] = useState(false);
  const providers = useMemo(() => {
    const counts = new Map<string, number>();
    for (const route of routes) counts.set(route.provider, (counts.get(route.provider) ?? 0) + 1);
    const featured = file.presentation?.featured_providers ?? [];
    const rank = (id: string) => (featured.includes(id) ? featured.indexOf(id) : featured.length);
    return [...counts].map(([id, count]) => ({ id, count, label: providerLabel(file, id) })).sort((a, b) => rank(a.id) - rank(b.id) || b.count - a.count || (a.id < b.id ? -1 : 1));
  }, [file, routes]);
  const wanted = query.trim().toLowerCase();
  const matching = providers.filter(({ id, label }) => !wanted || `${id} ${label}`.toLowerCase().includes(wanted));
  const shown = all || wanted ? matching : matching.filter(({ id }, i) => i < few || state.providers.includes(id));
  return (
    <fieldset>
      <legend>Provider</legend>
      {providers.length > few && (
        <input type="search" class="within" value={query} placeholder={`Find among ${providers.length}`} aria-label="Find a provider" onInput={(e) => setQuery(e.currentTarget.value)} />
      )}
      {shown.slice(0, 200).map(({ id, label, count }) => (
        <label class="check" key={id}>
          <input type="checkbox" checked={state.providers.includes(id)} onChange={(e) => {
            const on = e.currentTarget.checked;
            change({ providers: on ? [...state.providers, id] : state.providers.filter((p) => p !== id) });
          }} />
          <Text of={label} /> <span class="count">{grouped(count)}</span>
        </label>
      ))}
      {!wanted && providers.length > few && <button type="button" class="link" aria-expanded={all} onClick={() => showAll(!all)}>{all ? "Fewer" : `All ${providers.length}`}</button>}
    </fieldset>
  );
}
