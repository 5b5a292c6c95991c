import { useEffect, useRef, useState } from "preact/hooks";
import type { Actions } from "./app.tsx";
import { type Cost, type MyUsage, type Pricer, money } from "./cost.ts";
import { factsOf, priceLine, settingsOf } from "./facts.ts";
import { type PickerFile, type Route, stateOf } from "./file.ts";
import { Unknown, lifeBadge } from "./results.tsx";
import { Text } from "./text.tsx";
import { plural, title, visible } from "./words.ts";

interface TrayProps {
  readonly routes: readonly Route[];
  readonly actions: Actions;
  readonly show: () => void;
}

/** What is picked for comparing, always in reach. */
export function Tray({ routes, actions, show }: TrayProps) {
  return (
    <aside class="tray" aria-label="To compare">
      <ul>
        {routes.map((route) => (
          <li key={route.id}>
            <Text of={route.name} /> <small><Text of={route.providerName} /></small>
            <button type="button" class="less" aria-label={`Do not compare ${visible(route.name)}`} onClick={() => actions.toggleCompare(route.row.id)}>×</button>
          </li>
        ))}
      </ul>
      <button type="button" class="main" disabled={routes.length < 2} onClick={show}>{routes.length < 2 ? "Pick one more to compare" : `Compare ${routes.length}`}</button>
    </aside>
  );
}

interface Props {
  readonly file: PickerFile;
  readonly routes: readonly Route[];
  readonly pricer: Pricer;
  readonly usage: MyUsage;
  readonly at: Date;
  readonly actions: Actions;
  readonly close: () => void;
}

/** Routes side by side, a fact a line. */
export function Compare({ file, routes, pricer, usage, at, actions, close }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [differing, setDiffering] = useState(true);
  useEffect(() => dialog.current?.showModal(), []);
  const costs = routes.map((route) => pricer.cost(route));
  const best = cheapest(costs);
  const lines = linesOf(file, routes, at).filter(({ values }) => !differing || new Set(values).size > 1);
  return (
    <dialog ref={dialog} class="compare" aria-labelledby="comparing" onClose={close}>
      <header>
        <h2 id="comparing">{plural(routes.length, "route")} side by side</h2>
        <label class="check"><input type="checkbox" checked={differing} onChange={(e) => setDiffering(e.currentTarget.checked)} /><span>only what differs</span></label>
        <button type="button" onClick={() => actions.copy(location.href, "a link to this")}>Copy link</button>
        <button type="button" class="main" onClick={() => dialog.current?.close()}>Close</button>
      </header>
      <div class="scroll" tabIndex={0} role="group" aria-label="The comparison">
        <table>
          <thead>
            <tr>
              <th scope="col"><span class="sr">Fact</span></th>
              {routes.map((route) => (
                <th scope="col" key={route.id}>
                  <Text of={route.name} />
                  <Text of={route.row.id} class="id" />
                  <button type="button" aria-label={`Copy id of ${visible(route.name)}`} onClick={() => actions.copy(route.id, "the route id")}>Copy id</button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr class="cost">
              <th scope="row">My usage, {plural(Number(usage.calls), "call")}</th>
              {costs.map((cost, i) => (
                <td key={i}>
                  {cost.usd === undefined ? <Unknown why={cost.why} /> : <b class={cost.usd === "0" ? "free" : undefined}>{money(cost.usd)}</b>}
                  {best.includes(i) && <span class="badge best">cheapest</span>}
                </td>
              ))}
            </tr>
            {lines.map(({ name, values }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {values.map((value, i) => <td key={i}>{value === "" ? <span class="none">not stated</span> : value.split("\n").map((part) => <Text key={part} of={part} />)}</td>)}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </dialog>
  );
}

/** The places of the lowest costs. One that is unknown is never among them; one alone is no comparison. */
function cheapest(costs: readonly Cost[]): number[] {
  const known = costs.flatMap(({ amount }) => amount ?? []);
  if (known.length < 2) return [];
  const least = known.reduce((a, b) => (b < a ? b : a));
  return costs.flatMap(({ amount }, i) => (amount === least ? [i] : []));
}

/** Every fact of any of the routes, with what each says of it; "" where one says nothing. */
function linesOf(file: PickerFile, routes: readonly Route[], at: Date): { name: string; values: string[] }[] {
  const columns = routes.map((route) => {
    const settings = settingsOf(route.settings);
    const life = stateOf(route.row, at);
    const facts = new Map<string, string>();
    facts.set("Lifecycle", life === "active" ? "served" : lifeBadge({ route, life, cost: undefined as never }));
    facts.set("Support", route.evidence.support ?? "");
    facts.set("Prices", route.prices?.map(priceLine).join("\n") ?? "");
    for (const { name, value } of factsOf(file, route)) facts.set(name, value);
    for (const { name, value } of settings.taken) facts.set(`Option: ${name}`, value);
    for (const name of settings.refused) facts.set(`Option: ${name}`, "refused");
    return facts;
  });
  const names = new Set(columns.flatMap((facts) => [...facts.keys()]));
  return [...names].map((name) => ({ name: title(name), values: columns.map((facts) => facts.get(name) ?? "") }));
}
