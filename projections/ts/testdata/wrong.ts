// What must not compile: each marked line is an error of the code that it names, and no other is.
import type { RouteId } from "opcatalog";
import { decision_evaluation } from "opcatalog/decision_evaluation";
import { embedding } from "opcatalog/embedding";
import { text_generation } from "opcatalog/text_generation";
import { route } from "opcatalog/closed";
import { pick, refusal, select } from "opcatalog/select";

declare function chat(model: RouteId<"text_generation">): void;
declare const judge: RouteId<"decision_evaluation">;
declare const vector: RouteId<"embedding">;
declare const some: RouteId;

chat(judge); // TS2345
chat("acme/chat-2"); // TS2345
chat(some); // TS2345
text_generation.cost(vector, { lines: [] }); // TS2345
text_generation.contract(judge); // TS2345
chat(embedding.find("acme/embed-1")!); // TS2345
chat(decision_evaluation.list()[0]!); // TS2345
embedding.contract(vector).question_kinds; // TS2339
embedding.list({ input_kinds: ["vector"] }); // TS2322
embedding.row(vector).id = "other"; // TS2540
embedding.cost(vector, { lines: [{ meter: "input_token", count: "12" }] }); // TS2322
const total: number = embedding.cost(vector, { lines: [] }).usd; // TS2322
route.text_generation("acme/embed-1"); // TS2345
route.embedding("acme/embed-2"); // TS2345
chat(route.embedding("acme/embed-1")); // TS2345
chat(select(embedding)[0]!); // TS2345
select(embedding, { inputs: ["json"] }); // TS2322
select(embedding, { questions: ["boolean"] }); // TS2322
refusal(embedding, judge); // TS2345
chat(pick(text_generation, "small").id); // TS2345
import { translation } from "opcatalog/translation"; // TS2307
export { total, translation };
