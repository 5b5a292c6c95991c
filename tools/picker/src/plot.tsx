import { axisX, axisY, dot, gridX, gridY, line, plot, pointer, ruleY, text, tip } from "@observablehq/plot";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Choice } from "./choose.ts";
import { type Cost, money } from "./cost.ts";
import { idle } from "./idle.ts";
import type { State } from "./state.ts";
import { plural, short, visible } from "./words.ts";

interface Props {
  readonly choices: readonly Choice[];
  readonly compared: readonly string[];
  readonly open: string;
  readonly change: (patch: Partial<State>) => void;
}

interface Point {
  readonly row: string;
  readonly name: string;
  readonly context: number;
  readonly cost: Cost;
  /** for the eye alone: amounts are compared as decimals */
  readonly usd: number;
}

/** Price against context. What is unknown has no place in it, and is counted beneath. */
export function Plot({ choices, compared, open, change }: Props) {
  const [shown, show] = useState(() => matchMedia("(min-width: 761px)").matches);
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!shown || !box.current) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry!.contentRect.width)));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [shown]);
  const points = useMemo(() => pointsOf(choices), [choices]);
  const left = choices.length - points.length;
  useEffect(() => {
    if (!shown || width < 100 || !box.current) return;
    return idle(() => { // the routes are what one waits for
      const drawn = draw(points, width, new Set(compared), open);
      drawn.addEventListener("click", () => drawn.value && change({ open: (drawn.value as Point).row }));
      for (const mark of drawn.querySelectorAll<SVGElement>("g[aria-label]")) { // the picture has a name as a whole
        mark.dataset.mark = mark.getAttribute("aria-label")!;
        mark.removeAttribute("aria-label");
      }
      box.current?.replaceChildren(drawn);
    });
  }, [choices, compared, open, width, shown]);
  return (
    <details class="plot" open={shown} onToggle={(e) => show(e.currentTarget.open)}>
      <summary>My usage against context</summary>
      <div ref={box} class="box" role="img" aria-label={`A plot of ${plural(points.length, "route")}: what my usage costs against the context. The table below has the same.`} />
      <p>{left > 0 && `${plural(left, "route")} with an unknown cost or context ${left === 1 ? "is" : "are"} not in the plot. `}The line joins the cheapest for at least so much context.</p>
    </details>
  );
}

function pointsOf(choices: readonly Choice[]): Point[] {
  return choices.flatMap(({ route, cost }) =>
    cost.amount === undefined || route.context === undefined ? [] : [{ row: route.row.id, name: route.name, context: route.context, cost, usd: Number(cost.amount) / 1e24 }],
  );
}

/** What a tip says of a point. */
function said({ name, row, cost, context }: Point): string {
  return `${visible(name)}\n${visible(row)}\n${money(cost.usd!)} · ${short(context)} context`;
}

function draw(points: readonly Point[], width: number, compared: ReadonlySet<string>, open: string) {
  const paid = points.filter((p) => p.usd > 0);
  const least = paid.reduce((a, p) => Math.min(a, p.usd), Infinity);
  const most = paid.reduce((a, p) => Math.max(a, p.usd), 0);
  const anyFree = paid.length < points.length;
  const low = paid.length > 0 ? least : 0.01;
  const high = Math.max(most, low * 10);
  const free = low / 4; // a place of its own below all prices, since a logarithm has none for zero
  const y = (p: Point) => (p.usd > 0 ? p.usd : free);
  const chosen = points.filter((p) => compared.has(p.row) || p.row === open);
  const contexts = points.map((p) => p.context);
  const [left, right] = extent(contexts);
  const middle = Math.sqrt(left * right);
  return plot({
    width,
    height: Math.min(320, Math.max(220, width * 0.36)),
    marginLeft: 64,
    marginBottom: 36,
    marginRight: 16,
    style: { background: "none", color: "inherit", fontFamily: "inherit", fontSize: "12px" },
    x: { type: "log", domain: [left, right] },
    y: { type: "log", domain: [anyFree ? free / 1.6 : low / 1.3, high * 1.3] },
    marks: [
      gridX(ticksOf(contexts), { stroke: "var(--line)", strokeOpacity: 1 }),
      gridY(powers(low, high), { stroke: "var(--line)", strokeOpacity: 1 }),
      axisX(ticksOf(contexts), { text: (n: number) => (n < 1_000_000 ? `${n / 1000}k` : `${n / 1_000_000}M`), label: "context (tokens) →", labelAnchor: "right", tickSize: 0, labelOffset: 34 }),
      axisY(powers(low, high), { tickFormat: (n: number) => `$${Number(n.toPrecision(6)).toLocaleString("en", { maximumFractionDigits: 12 })}`, label: "↑ my usage", tickSize: 0 }),
      ...(anyFree ? [ruleY([free], { stroke: "var(--line)" }), axisY([free], { tickFormat: () => "free", label: null, tickSize: 0 })] : []),
      line(frontier(points), { x: "context", y, stroke: "var(--accent)", strokeOpacity: 0.55, strokeWidth: 1.5, curve: "step-before" }),
      dot(points, { x: "context", y, r: points.length > 400 ? 2.6 : 3.6, fill: "var(--accent)", fillOpacity: points.length > 400 ? 0.4 : 0.55 }),
      dot(chosen, { x: "context", y, r: 6, fill: "var(--mark)", stroke: "var(--surface)", strokeWidth: 1.5 }),
      ...(["end", "start"] as const).map((textAnchor) => text(chosen.filter((p) => (p.context > middle) === (textAnchor === "end")), {
        x: "context", y, text: (p: Point) => visible(p.name), textAnchor, dx: textAnchor === "end" ? -10 : 10, fill: "currentColor", stroke: "var(--surface)", strokeWidth: 4, fontWeight: 600,
      })),
      tip(points, pointer({ x: "context", y, title: (p: Point) => p, format: { title: said }, fill: "var(--surface)", stroke: "var(--edge)", fontSize: 12, maxRadius: 30 })),
    ],
  });
}

/** The cheapest routes for at least so much context, from the smallest context on. */
function frontier(points: readonly Point[]): Point[] {
  const best: Point[] = [];
  for (const p of [...points].sort((a, b) => b.context - a.context || a.usd - b.usd)) {
    if (best.length === 0 || p.usd < best.at(-1)!.usd) best.push(p);
  }
  return best.reverse();
}

/** The contexts that are drawn: those of the routes, but never so few that a dot seems far from the next. */
function extent(contexts: readonly number[]): [number, number] {
  return contexts.reduce(([low, high], n) => [Math.min(low, n), Math.max(high, n)], [8000, 256_000]);
}

function powers(low: number, high: number): number[] {
  const ticks = [];
  for (let e = Math.ceil(Math.log10(low)); e <= Math.floor(Math.log10(high * 1.3)); e++) ticks.push(10 ** e);
  const every = Math.ceil(ticks.length / 6);
  return ticks.filter((_, i) => i % every === 0);
}

function ticksOf(contexts: readonly number[]): number[] {
  const [low, high] = extent(contexts);
  return [4, 8, 16, 32, 64, 128, 256, 512, 1000, 2000, 4000, 10_000].map((n) => n * 1000).filter((n) => n >= low && n <= high);
}
