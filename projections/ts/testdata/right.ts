// What a user writes, and what must compile.
import { aliases, asOf, cost, lifecycleState, operation, routes, row, rows, type AnyRoute, type Receipt, type RouteId } from "opcatalog";
import { embedding } from "opcatalog/embedding";
import { text_generation } from "opcatalog/text_generation";
import { route, type ModelIdFor } from "opcatalog/closed";
import { pick, refusal, select, type Query } from "opcatalog/select";

declare function embed(model: RouteId<"embedding">, text: string): number[];
declare function any(model: RouteId): void;

const found = embedding.find("acme/embed-1") ?? route.embedding("acme/embed-1");
embed(found, "hello");
any(found);
embed(operation("embedding").list({ provider: "acme", input_kinds: ["text"], support: "documented", states: ["active"] })[0]!, asOf);

const dimensions: number = embedding.contract(found).dimensions.default;
const receipt: Receipt = embedding.cost(found, { lines: [{ meter: "input_token", count: 12n }] }, { at: new Date() });
const usd: string | undefined = receipt.usd; // unknown is not zero

// The operation tells the contract's type.
function describe(of: AnyRoute): string {
  switch (of.operation) {
    case "text_generation":
      return String(of.contract.settings?.temperature);
    case "embedding":
      return String(of.contract.dimensions.default);
    case "decision_evaluation":
      return of.contract.question_kinds.join();
    case "reranking":
      return String(of.contract.score_range);
    case "moderation":
      return String(of.contract.flagged);
  }
}

// A setting is a word or a list of ranges.
const temperature = text_generation.contract(text_generation.find("acme/chat-2")!).settings?.temperature;
const most = typeof temperature === "object" ? temperature[0]?.max : temperature;

// Ordinary expressions over ids stay ordinary, however many ids there are.
declare const settings: { model?: RouteId<"text_generation">; id?: ModelIdFor<"text_generation"> };
const fallback = text_generation.defaultRoute("runtime") ?? text_generation.list()[0]!;
const chosen = settings.model ?? fallback;
const list = Math.random() > 0.5 ? [chosen] : [fallback, chosen];
const ids = settings.id ? [settings.id] : [];

// The best routes for what a caller needs, and why another does not serve.
const cheap: Query<"embedding"> = { inputs: ["text"], dimensions: 512, usage: { lines: [{ meter: "input_token", count: 1000 }] }, max_usd: "0.01" };
embed(select(embedding, cheap)[0] ?? found, refusal(embedding, found, cheap)?.code ?? "");
const picked = pick(text_generation, "small", { tools: true, settings: [{ name: "effort", value: "high" }], prefer: ["context", "price"] }, { row, aliases });
any(picked.id ?? fallback);

for (const one of routes()) describe(one);
for (const one of rows()) lifecycleState(one, "2026-11-30");
export { cost, dimensions, ids, list, most, row, usd };
