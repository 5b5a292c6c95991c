import { useEffect, useState } from "preact/hooks";
import type { Actions } from "./app.tsx";
import type { Choice } from "./choose.ts";
import { type MyUsage, type Pricer, money, priceParts, reasonOf } from "./cost.ts";
import { Details } from "./details.tsx";
import { type PickerFile, type Route, type Section, endOf } from "./file.ts";
import { idle } from "./idle.ts";
import type { State } from "./state.ts";
import { Text } from "./text.tsx";
import { grouped, short, title, visible, words } from "./words.ts";

export interface Shown {
  readonly file: PickerFile;
  readonly section: Section;
  readonly pricer: Pricer;
  readonly usage: MyUsage;
  readonly byRow: ReadonlyMap<string, Route>;
  readonly at: Date;
  readonly actions: Actions;
}

interface Props extends Shown {
  readonly choices: readonly Choice[];
  readonly state: State;
}

const screenful = 20;
const step = 50;

/** The routes: a screenful of them at once, some more as soon as those are drawn, and the others when they are asked for. */
export function Results(props: Props) {
  const { choices, state, section } = props;
  const [limit, setLimit] = useState(screenful);
  useEffect(() => {
    setLimit((now) => Math.min(now, step));
    return idle(() => setLimit((now) => Math.max(now, step)));
  }, [state.operation, state.query, state.facets, state.providers, state.sort]);
  const soon = Math.max(limit, step);
  const place = choices.findIndex(({ route }) => route.row.id === state.open);
  const shown = choices.slice(0, limit);
  if (place >= limit) shown.unshift(choices[place]!); // an address may name any route
  const rates = section.usual.map(({ meter }) => meter).slice(0, 2);
  return (
    <>
      <table id="results" class="routes" role="table" onKeyDown={(e) => pressed(e, props.actions, state.operation)}>
        <caption class="sr">Routes of {words(state.operation)}</caption>
        <thead role="rowgroup">
          <tr role="row">
            <th role="columnheader" scope="col"><span class="sr">Compare</span></th>
            <th role="columnheader" scope="col">Route</th>
            <th role="columnheader" scope="col">Takes</th>
            <th role="columnheader" scope="col" class="n">Context</th>
            {rates.map((meter) => <th role="columnheader" key={meter} scope="col" class="n">{title(meter)}</th>)}
            <th role="columnheader" scope="col" class="n">My usage</th>
            <th role="columnheader" scope="col"><span class="sr">Copy</span></th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {shown.map((choice) => <RouteRow key={choice.route.id} {...props} choice={choice} rates={rates} />)}
        </tbody>
      </table>
      {choices.length > soon && (
        <p class="rest"><button type="button" onClick={() => setLimit(soon * 5)}>Show more</button> {grouped(soon)} of {grouped(choices.length)} are shown.</p>
      )}
    </>
  );
}

function RouteRow({ choice, rates, state, ...shown }: Props & { choice: Choice; rates: readonly string[] }) {
  const { route, cost, life } = choice;
  const { pricer, actions } = shown;
  const open = state.open === route.row.id;
  const { row } = route;
  return (
    <>
      <tr role="row" class="route" data-open={open ? "" : undefined}>
        <td role="cell" class="pick">
          <input type="checkbox" aria-label={`Compare ${visible(route.name)}`} checked={state.compare.includes(row.id)} onChange={(e) => { e.currentTarget.checked = state.compare.includes(row.id); actions.toggleCompare(row.id); }} />
        </td>
        <th role="rowheader" scope="row">
          <button type="button" class="name" data-row={row.id} aria-expanded={open} onClick={() => actions.change({ open: open ? "" : row.id })}><Text of={route.name} /></button>
          <span class="badges">
            {life !== "active" && <span class={`badge ${life}`}>{lifeBadge(choice)}</span>}
            {row.selects && <span class="badge moving" title="a moving name: what it serves changes">moving</span>}
            {route.evidence.support === "documented" && <span class="badge" title="the vendor documents this contract">documented</span>}
            {route.evidence.support === "probed" && <span class="badge probed" title="a live call has shown this contract">probed</span>}
          </span>
          <span class="ids"><Text of={row.id} class="id" /> <span class="by">by <Text of={route.providerName} /></span></span>
        </th>
        <td role="cell" class="takes" data-label="Takes">{route.contract.input_kinds.map((kind) => <span class="kind" key={kind}>{words(kind)}</span>)}</td>
        <td role="cell" class="n" data-label="Context">{route.context === undefined ? <Unknown /> : <span title={`${grouped(route.context)} tokens`}>{short(route.context)}</span>}</td>
        {rates.map((meter) => <td role="cell" key={meter} class="n" data-label={title(meter)}><Rate pricer={pricer} route={route} meter={meter} /></td>)}
        <td role="cell" class="n cost" data-label="My usage">
          {cost.usd === undefined ? <Unknown why={cost.why} /> : <b class={cost.usd === "0" ? "free" : undefined}>{money(cost.usd)}</b>}
        </td>
        <td role="cell" class="do">
          <button type="button" class="copy" aria-label={`Copy id of ${visible(route.name)}`} title={visible(route.id)} onClick={() => actions.copy(route.id, "the route id")}>Copy id</button>
        </td>
      </tr>
      {open && (
        <tr role="row" class="more">
          <td role="cell" colSpan={6 + rates.length}><Details {...shown} choice={choice} /></td>
        </tr>
      )}
    </>
  );
}

export function lifeBadge({ route, life }: Choice): string {
  const end = endOf(route.row)?.slice(0, 10);
  if (life === "announced") return `ends ${end}`;
  if (life === "ended") return `ended${end ? ` ${end}` : ""}`;
  return end ? `advised against, ends ${end}` : "advised against";
}

export function Unknown({ why }: { why?: string }) {
  return <span class="unknown" title={why}>unknown{why && <span class="sr">: {why}</span>}</span>;
}

/** The price of a meter: of a million, or of one. */
export function Rate({ pricer, route, meter }: { pricer: Pricer; route: Route; meter: string }) {
  const { price, unknown } = pricer.rate(route, meter);
  if (!price) return unknown ? <Unknown why={reasonOf(unknown)} /> : <span class="none" title="not billed by this">–</span>;
  const { amount, per } = priceParts(price);
  const usd = price.usd_per_million ?? price.usd_per_unit;
  if (usd === undefined || unknown) return <Unknown why={`${amount} ${per}`} />;
  return <span class={usd === "0" ? "free" : undefined} title={`${amount} ${per}`}>{amount}{usd !== "0" && <small>{price.usd_per_million === undefined ? " each" : "/M"}</small>}</span>;
}

/** Keys that work while a route has the focus. */
function pressed(e: KeyboardEvent, actions: Actions, operation: string) {
  const on = e.target as HTMLElement;
  const row = on.dataset.row;
  if (!row || e.ctrlKey || e.metaKey || e.altKey) return;
  const names = [...document.querySelectorAll<HTMLElement>("#results [data-row]")];
  const at = names.indexOf(on);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: names.length - 1 }[e.key];
  if (to !== undefined) names[to]?.focus();
  else if (e.key === "c") actions.toggleCompare(row);
  else if (e.key === "y") actions.copy(`${operation}:${row}`, "the route id");
  else return;
  e.preventDefault();
}
