import type { Price } from "../../../projections/ts/package/types.js";
import { type Choice, byCost } from "./choose.ts";
import { money, priceParts, reasonOf } from "./cost.ts";
import { conditionsOf, factsOf, settingsOf } from "./facts.ts";
import { type Route, stateOf } from "./file.ts";
import { type Shown, Unknown } from "./results.tsx";
import { Source, Text } from "./text.tsx";
import { grouped, plural, title, words } from "./words.ts";

/** All that the catalog says of a route. */
export function Details({ file, choice, pricer, usage, byRow, at, actions }: Shown & { choice: Choice }) {
  const { route, cost } = choice;
  const { row, evidence } = route;
  const settings = settingsOf(route.settings);
  const others = [...byRow.values()]
    .filter((other) => other !== route && row.logical_model !== undefined && other.row.logical_model === row.logical_model && stateOf(other.row, at) !== "ended")
    .map((other) => ({ other, cost: pricer.cost(other) }))
    .sort((a, b) => byCost(a.cost, b.cost));
  const successor = row.lifecycle?.successor;
  return (
    <div class="details">
      <p class="lead">
        <code class="route-id"><Text of={route.id} /></code>
        <button type="button" onClick={() => actions.copy(route.id, "the route id")}>Copy route id</button>
        <button type="button" onClick={() => actions.copy(row.id, "the row id")}>Copy row id</button>
        <button type="button" onClick={() => actions.copy(location.href, "a link to this")}>Copy link</button>
      </p>
      {row.presentation?.blurb && <p><Text of={row.presentation.blurb} /></p>}
      {(row.lifecycle?.note || successor) && (
        <p class="note">
          {row.lifecycle?.note && <Text of={row.lifecycle.note} />} {successor && <>Instead: <Jump row={successor} byRow={byRow} open={(open) => actions.change({ open })} />.</>}
        </p>
      )}
      <div class="parts">
        <section>
          <h3>My usage</h3>
          <ul class="receipt">
            {cost.receipt.lines.filter((line) => line.count === undefined || BigInt(line.count) !== 0n).map((line) => (
              <li key={line.meter}>
                <span>{grouped(String(line.count ?? "?"))} {words(line.meter)}{line.count === 1 || line.count === 1n ? "" : "s"}{line.priced_as && ` (priced as ${words(line.priced_as)}s)`}</span>
                <b>{line.usd === undefined ? <Unknown {...(line.unknown && { why: reasonOf(line.unknown) })} /> : money(line.usd)}</b>
              </li>
            ))}
            <li class="sum">
              <span>{plural(Number(usage.calls), "call")}</span>
              <b>{cost.usd === undefined ? <Unknown why={cost.why} /> : money(cost.usd)}</b>
            </li>
          </ul>
          {cost.usd === undefined && <p class="why">{title(cost.why)}. What is unknown is not zero.</p>}
        </section>
        <section>
          <h3>Prices</h3>
          {route.prices
            ? <ul class="prices">{[...byMeter(route.prices)].map(([per, prices]) => (
                <li key={per}>
                  <span>{per}</span>
                  <ul>{prices.map((price, i) => <li key={i}><b>{priceParts(price).amount}</b> <small><Text of={conditionsOf(price)} /></small></li>)}</ul>
                </li>
              ))}</ul>
            : <p><Unknown why="no price stated" />: nobody stated a price.</p>}
        </section>
        <section>
          <h3>Options</h3>
          {settings.taken.length > 0 ? <dl>{settings.taken.map(({ name, value }) => <><dt>{name}</dt><dd><Text of={value} /></dd></>)}</dl> : <p>No option may be asked for.</p>}
          {settings.exclusive.map((names) => <p key={names}>Not both: {names}.</p>)}
          {settings.refused.length > 0 && <p class="refused">Refused: {settings.refused.join(", ")}.</p>}
        </section>
        <section>
          <h3>Facts</h3>
          <dl>{factsOf(file, route).map(({ name, value }) => <><dt>{name}</dt><dd><Text of={value} /></dd></>)}</dl>
          <p class="evidence">
            Support: {evidence.support ?? <Unknown />}{evidence.source && <>, <Source of={evidence.source} /></>}
            {(evidence.probed_on ?? evidence.checked_on) && <>, {evidence.probed_on ? "seen" : "checked"} <time>{evidence.probed_on ?? evidence.checked_on}</time></>}
          </p>
        </section>
        {others.length > 0 && (
          <section>
            <h3>The same model elsewhere</h3>
            <ul class="others">
              {others.slice(0, 12).map(({ other, cost }) => (
                <li key={other.id}>
                  <Jump row={other.row.id} byRow={byRow} open={(open) => actions.change({ open })} />
                  <b>{cost.usd === undefined ? <Unknown why={cost.why} /> : money(cost.usd)}</b>
                </li>
              ))}
            </ul>
            {others.length > 12 && <p>and {others.length - 12} more: search for <Text of={row.logical_model!} class="id" />.</p>}
          </section>
        )}
      </div>
    </div>
  );
}

/** Prices under what they are for. */
function byMeter(prices: readonly Price[]): Map<string, Price[]> {
  const of = new Map<string, Price[]>();
  for (const price of prices) {
    const { per } = priceParts(price);
    of.set(per, [...(of.get(per) ?? []), price]);
  }
  return of;
}

/** A way to another route, if there is one for this operation. */
function Jump({ row, byRow, open }: { row: string; byRow: ReadonlyMap<string, Route>; open: (row: string) => void }) {
  if (!byRow.has(row)) return <Text of={row} class="id" />;
  return <button type="button" class="link" onClick={() => open(row)}><Text of={row} class="id" /></button>;
}
