/**
 * static/openapi.json and the table of docs/api.md, made of the table of routes (src/core/admin-routes.ts) and its words
 * (src/core/admin-words.ts). Pure: modules in, text out.
 */
import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";

const BEGIN = "<!-- routes of the admin API: written by `npm run api-doc` -->";
const END = "<!-- end of the routes -->";
const API = "/__vestibule/admin/api";
const RULES = { errorMode: "ignore", typeMode: "input" };

/** docs/api.md with the table of routes as the code has it. Throws if its marks are not there. */
export function withRoutes(text, source) {
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`docs/api.md lacks ${BEGIN} … ${END}`);
  const rows = Object.entries(source.ADMIN_ROUTES).map(([id, { role }]) => {
    const { method, path } = source.partsOf(id);
    return `| ${method} | \`${path}\` | ${role} | ${source.ADMIN_WORDS[id].words} |`;
  });
  const table = ["| method | path under `/__vestibule/admin/api` | role | for |", "|---|---|---|---|", ...rows];
  return `${text.slice(0, begin + BEGIN.length)}\n${table.join("\n")}\n${text.slice(end)}`;
}

/** The OpenAPI document as text. */
export function openapiText(source) {
  return `${JSON.stringify(openapi(source), null, 1)}\n`;
}

function openapi({ ADMIN_ROUTES, ADMIN_WORDS, BODIES, partsOf, problem }) {
  const paths = {};
  for (const [id, route] of Object.entries(ADMIN_ROUTES)) {
    const { method, path } = partsOf(id);
    const at = path.replace(/:(\w+)/g, "{$1}");
    paths[at] ??= {};
    paths[at][method.toLowerCase()] = operation(id, path, route, ADMIN_WORDS[id]);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Vestibule admin API",
      version: "1",
      summary: "Reading and retuning rooms while they run.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: API }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
      schemas: { problem: schemaOf(problem), ...mapValues(BODIES, bodyOf) },
    },
  };
}

function operation(
  id,
  path,
  { role, body, query },
  { words, body: fields = {}, query: queries = {}, takes, answer, type = "application/json" },
) {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({ name, in: "path", required: true, schema: { type: "string" } }));
  const inQuery = query.map((name) => ({ name, in: "query", schema: schemaOf(queries[name]) }));
  const taken = typeof fields === "string" ? { $ref: `#/components/schemas/${fields}` } : bodyOf(fields);
  return {
    operationId: operationId(id),
    description: `${withoutLinks(words)}\n\nRole: ${role}.`,
    parameters: [...inPath, ...inQuery],
    ...(body === null ? {} : { requestBody: { content: takes ? { [takes]: {} } : { "application/json": { schema: taken } } } }),
    responses: {
      200: { description: "done", content: { [type]: { schema: schemaOf(answer) } } },
      default: {
        description: "refused",
        content: { "application/problem+json": { schema: { $ref: "#/components/schemas/problem" } } },
      },
    },
  };
}

/** Links lead from docs/api.md; whoever reads the document at a Worker has no such files. */
function withoutLinks(words) {
  return words.replace(/ \(\[[^\]]*\]\([^)]*\)\)/g, "").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
}

/** With what every change may say. */
function bodyOf(fields) {
  const reason = v.optional(v.pipe(v.string(), v.maxLength(500)));
  return schemaOf(v.strictObject({ ...fields, reason }));
}

function mapValues(table, make) {
  return Object.fromEntries(Object.entries(table).map(([name, value]) => [name, make(value)]));
}

/** `GET /rooms/:room/stats` → `getRoomsRoomStats`. */
function operationId(id) {
  const words = id.split(/[^A-Za-z]+/).filter((word) => word !== "");
  return words.map((word, i) => (i === 0 ? word.toLowerCase() : word[0].toUpperCase() + word.slice(1))).join("");
}

function schemaOf(schema) {
  const { $schema: _, ...rest } = toJsonSchema(schema, RULES);
  return rest;
}
