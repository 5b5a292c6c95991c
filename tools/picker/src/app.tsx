import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { choose } from "./choose.ts";
import { Compare, Tray } from "./compare.tsx";
import { type MyUsage, Pricer } from "./cost.ts";
import { facetsOf } from "./facets.ts";
import { type PickerFile, type Route, routesOf } from "./file.ts";
import { Filters } from "./filters.tsx";
import { Listed } from "./listed.tsx";
import { Plot } from "./plot.tsx";
import { Results } from "./results.tsx";
import { type State, filtersSet, forOperation, fromHash, mostCompared, sorts, toHash, withoutFilters } from "./state.ts";
import { ThemeButton } from "./theme.tsx";
import { UsageForm } from "./usage.tsx";
import { grouped, parseCount, plural, title } from "./words.ts";

export interface Actions {
  readonly change: (patch: Partial<State>) => void;
  readonly toggleCompare: (row: string) => void;
  readonly copy: (text: string, what: string) => void;
}

export function App({ file }: { file: PickerFile }) {
  const routesFor = useMemo(() => {
    const made = new Map<string, { routes: Route[]; facets: ReturnType<typeof facetsOf> }>();
    return (operation: string) => {
      let of = made.get(operation);
      if (!of) {
        const routes = routesOf(file, operation);
        made.set(operation, (of = { routes, facets: facetsOf(file, operation, routes) }));
      }
      return of;
    };
  }, [file]);
  const read = useCallback(() => {
    const bare = fromHash(location.hash, file, []);
    return fromHash(location.hash, file, routesFor(bare.operation).facets.map((facet) => facet.name));
  }, [file]);
  const [state, setState] = useState(read);
  const [said, say] = useState("");
  const [comparing, setComparing] = useState(false);
  const now = useMemo(() => new Date(), [state.operation]);
  const searchField = useRef<HTMLInputElement>(null);

  useEffect(() => {
    const hash = toHash(state);
    if (hash !== location.hash) history.replaceState(null, "", hash);
  }, [state]);
  useEffect(() => {
    const moved = () => setState(read());
    const pressed = (e: KeyboardEvent) => {
      if ((e.ctrlKey || e.metaKey) && !e.altKey && e.key.toLowerCase() === "k") {
        e.preventDefault();
        searchField.current?.focus();
        searchField.current?.select();
      }
    };
    addEventListener("hashchange", moved);
    addEventListener("keydown", pressed);
    return () => {
      removeEventListener("hashchange", moved);
      removeEventListener("keydown", pressed);
    };
  }, [read]);

  const section = file.operations[state.operation]!;
  const { routes, facets } = routesFor(state.operation);
  const at = useMemo(() => (state.at ? new Date(state.at) : now), [state.at, now]);
  const usage = useMemo((): MyUsage => {
    const counts: { [meter: string]: bigint } = Object.fromEntries(section.usual.map(({ meter, count }) => [meter, BigInt(count)]));
    for (const [meter, text] of Object.entries(state.counts)) counts[meter] = parseCount(text) ?? counts[meter] ?? 0n;
    return { counts, calls: parseCount(state.calls) ?? 1n, tier: state.tier, region: state.region, at };
  }, [section, state.counts, state.calls, state.tier, state.region, at]);
  const pricer = useMemo(() => new Pricer(usage), [usage]);
  const { query, facets: asked, providers, context, most, life, support, sort } = state;
  const choices = useMemo(
    () => choose(routes, state, facets, pricer, at),
    [routes, facets, pricer, at, query, asked, providers, context, most, life, support, sort],
  );
  const byRow = useMemo(() => new Map(routes.map((route) => [route.row.id, route])), [routes]);
  const compared = state.compare.flatMap((id) => byRow.get(id) ?? []);

  const actions = useMemo(
    (): Actions => ({
      change: (patch) => setState((old) => ({ ...old, ...patch })),
      toggleCompare: (row) =>
        setState((old) => {
          if (old.compare.includes(row)) return { ...old, compare: old.compare.filter((id) => id !== row) };
          if (old.compare.length < mostCompared) return { ...old, compare: [...old.compare, row] };
          say(`${mostCompared} routes are compared already; take one away first`);
          return old;
        }),
      copy: (text, what) => copied(text).then((done) => say(done ? `Copied ${what}` : `Your browser does not let this page copy; the text is ${text}`)),
    }),
    [],
  );
  useEffect(() => {
    if (!said) return;
    const timer = setTimeout(() => say(""), 4000);
    return () => clearTimeout(timer);
  }, [said]);

  const set = filtersSet(state);
  const hidden = [
    choices.unknownContext > 0 && `${plural(choices.unknownContext, "more has", "more have")} no known context`,
    choices.unknownCost > 0 && `${plural(choices.unknownCost, "more has", "more have")} no known cost`,
  ].filter(Boolean);
  const age = Math.floor((Date.now() - Date.parse(file.as_of)) / 86_400_000);

  return (
    <>
      <a class="skip" href="#routes" onClick={(e) => (e.preventDefault(), document.getElementById("routes")?.focus())}>Skip to the routes</a>
      <header class="top">
        <h1><span class="mark" aria-hidden="true" />opcat <span>picker</span></h1>
        <p class="asof" title={file.catalog}>catalog of <time dateTime={file.as_of}>{file.as_of.slice(0, 10)}</time>{age > 30 && <strong class="old">, {age} days old</strong>}</p>
        <ThemeButton />
      </header>
      <main>
        <fieldset class="operations">
          <legend>What should the model do?</legend>
          {Object.entries(file.operations).map(([name, of]) => (
            <label key={name}>
              <input type="radio" name="operation" value={name} checked={name === state.operation} onChange={() => setState(forOperation(state, name))} />
              <span class="operation">
                <b>{title(name)}</b> <span class="count">{grouped(of.routes.row.length)}<span class="sr"> routes</span></span>
                <small>{of.summary}</small>
              </span>
            </label>
          ))}
        </fieldset>
        <UsageForm key={state.operation} state={state} section={section} routes={routes} change={actions.change} />
        <div class="columns">
          <Filters file={file} state={state} routes={routes} facets={facets} set={set} change={actions.change} reset={() => setState(withoutFilters(state))} />
          <section class="found" aria-label="Routes">
            <div class="bar">
              <label class="search">
                <span class="sr">Search by name, alias, id or provider</span>
                <input ref={searchField} type="search" value={query} placeholder="Search by name, alias, id or provider" aria-keyshortcuts="Control+K"
                  onInput={(e) => actions.change({ query: e.currentTarget.value })} />
              </label>
              <label class="sort">
                <span>Sort by</span>
                <select value={sort} onChange={(e) => actions.change({ sort: e.currentTarget.value as State["sort"] })}>
                  {Object.entries(sorts).map(([value, label]) => <option key={value} value={value}>{label}</option>)}
                </select>
              </label>
            </div>
            <p class="tally" role="status">
              <b>{grouped(choices.shown.length)}</b> of {plural(routes.length, "route")}
              {hidden.length > 0 && <span class="hidden"> · {hidden.join(", ")}</span>}
            </p>
            {choices.shown.length > 0 && <Plot choices={choices.shown} compared={state.compare} open={state.open} change={actions.change} />}
            <div id="routes" tabIndex={-1}>
              {choices.shown.length > 0
                ? <Results file={file} section={section} choices={choices.shown} state={state} pricer={pricer} usage={usage} byRow={byRow} at={at} actions={actions} />
                : <div class="empty">
                    <p>No route has all of this.</p>
                    {hidden.length > 0 && <p>{hidden.join("; ")}: what nobody stated meets no bound.</p>}
                    <button type="button" onClick={() => setState(withoutFilters(state))}>Take all filters away</button>
                  </div>}
            </div>
            <Listed file={file} />
          </section>
        </div>
      </main>
      <footer>
        <p>
          Prices are exact and as stated; what is <em>unknown</em> is never counted as zero, and <em>free</em> is a stated zero. Taxes, platform fees and monthly allowances are not included.
        </p>
        <p>
          Keys: <kbd>Ctrl</kbd> <kbd>K</kbd> search · on a route <kbd>↑</kbd> <kbd>↓</kbd> move, <kbd>Enter</kbd> details, <kbd>c</kbd> compare, <kbd>y</kbd> copy its id.
          {" "}<a href="picker.json">picker.json</a> · <a href="licenses.txt">licenses</a> · <code class="digest">{file.catalog}</code>
        </p>
      </footer>
      {compared.length > 0 && <Tray routes={compared} actions={actions} show={() => setComparing(true)} />}
      {comparing && compared.length > 0 && <Compare file={file} routes={compared} pricer={pricer} usage={usage} at={at} actions={actions} close={() => setComparing(false)} />}
      <p class="said" role="status" data-shown={said ? "" : undefined}>{said}</p>
    </>
  );
}

/** Puts a text into the clipboard; pages of plain http have no other way than the old one. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    const before = document.activeElement as HTMLElement | null;
    field.value = text;
    (document.querySelector("dialog[open]") ?? document.body).append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    before?.focus();
    return done;
  }
}
