// Answers the questions of a file with the package in a folder.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, questions] = process.argv.slice(2);
const entry = (name) => import(pathToFileURL(resolve(folder, name)).href);
const catalog = await entry("index.js");
const { select, pick, QueryError } = await entry("select.js");

const fieldOf = ["CONSTRAINT_UNMET", "UNSUPPORTED_OPTIONS", "LIMIT_EXCEEDED"];
const members = ["as_of", "rows", "providers"];
const life = ["successor", "ends_on", "announced_end"];

const answers = {
  catalog: ({ name }) => [() => catalog.asOf, () => [...catalog.rows()].length, () => Object.keys(catalog.providers()).length][members.indexOf(name)](),
  routes: ({ operation }) => [...catalog.operation(operation)],
  serves: ({ operation, row }) => catalog.operation(operation).find(row) !== undefined,
  operations({ row }) {
    const found = catalog.row(row);
    return found ? catalog.operations.filter((name) => Object.hasOwn(found.operations, name)) : null;
  },
  fact({ row, name }) {
    const found = catalog.row(row);
    const table = life.includes(name) ? found?.lifecycle : name.endsWith("_tokens") ? found?.limits : found;
    return table?.[name] ?? null;
  },
  contract({ operation, row, name }) {
    const promise = contractOf(operation, row);
    if (!promise) return null;
    if (name === "protocols") return promise.protocol.map((item) => (typeof item === "string" ? item : item.protocol));
    if (name === "support") return promise.evidence?.support ?? null;
    if (name === "dimensions") return promise.dimensions?.default ?? null;
    return promise[name] ?? null;
  },
  setting({ operation, row, name }) {
    const promise = contractOf(operation, row);
    if (!promise) return null;
    const said = promise.settings?.[name];
    return said === undefined ? "unknown" : typeof said === "string" ? said : "ruled";
  },
  alias: ({ operation, name }) => catalog.operation(operation).alias(name) ?? null,
  default: ({ operation, purpose, provider }) => catalog.operation(operation).defaultRoute(purpose, provider) ?? null,
  state({ row, at }) {
    const found = catalog.row(row);
    return found ? catalog.lifecycleState(found, at) : null;
  },
  price({ operation, row, meter, call, input_tokens }) {
    const of = catalog.operation(operation);
    const { price, unknown } = catalog.rate(of.row(of.find(row)).price ?? [], meter, { ...call, operation }, input_tokens);
    if (unknown) return { unknown };
    return price.usd_per_million !== undefined ? { usd_per_million: price.usd_per_million } : { usd_per_unit: price.usd_per_unit };
  },
  cost({ operation, row, usage, call }) {
    const of = catalog.operation(operation);
    const { usd, stated_usd, lines } = of.cost(of.find(row), usage, call);
    if (usd !== undefined) return { usd };
    return { stated_usd, unknown: Object.fromEntries(lines.filter((line) => line.unknown).map((line) => [line.meter, line.unknown])) };
  },
  select: ({ operation, ...query }) => asked(operation, (of) => select(of, query)),
  refusal: ({ operation, name, ...query }) =>
    asked(operation, (of) => {
      const { id, refusal } = pick(of, name, query, catalog);
      if (id) return { row: id };
      return fieldOf.includes(refusal.code) ? { code: refusal.code, field: refusal.field } : { code: refusal.code };
    }),
};

function contractOf(operation, row) {
  const of = catalog.operation(operation);
  const id = of.find(row);
  return id && of.contract(id);
}

/** A query for an operation; what is no operation, and what is wrong by itself, is an answer too. */
function asked(operation, ask) {
  if (!catalog.operations.includes(operation)) return { wrong: "UNKNOWN_OPERATION" };
  try {
    return ask(catalog.operation(operation));
  } catch (error) {
    if (error instanceof QueryError) return { wrong: error.code };
    throw error;
  }
}

const file = JSON.parse(readFileSync(questions, "utf8"));
console.log(JSON.stringify({ answers: file.questions.map(({ id, kind, ...rest }) => ({ id, answer: answers[kind](rest) })) }));
