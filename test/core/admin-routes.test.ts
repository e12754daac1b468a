/** The table of the admin API's routes against everything that is made of it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, test } from "vitest";
import { openapiText, withRoutes } from "../../scripts/lib/api-doc.mjs";
import { app } from "../../src/app";
import * as routes from "../../src/core/admin-routes";
import * as shapes from "../../src/core/admin-shapes";
import * as words from "../../src/core/admin-words";
import { root } from "../support/bundle";

const source = { ...routes, ...shapes, ...words };
const read = (file: string) => readFileSync(join(root, file), "utf8");
const all = Object.entries(routes.ADMIN_ROUTES) as [routes.AdminRouteId, routes.AdminRoute][];

describe("the table of routes", () => {
  test("[ADMIN-9] is what the router answers, no more and no less", () => {
    const prefix = "/__vestibule/admin/api";
    const answered = app.routes.filter(({ method, path }) => method !== "ALL" && path.startsWith(prefix));
    expect(new Set(answered.map(({ method, path }) => `${method} ${path.slice(prefix.length)}`))).toEqual(new Set(all.map(([id]) => id)));
  });

  test("[ADMIN-9] openapi.json and docs/api.md are what it says", () => {
    expect(read("static/openapi.json")).toBe(openapiText(source));
    expect(read("docs/api.md")).toBe(withRoutes(read("docs/api.md"), source));
  });

  test("[ADMIN-9] openapi.json is a valid OpenAPI 3.1 document, with every route once", async () => {
    const text = read("static/openapi.json");
    expect(text.match(/\]\([^)]*\)/g)).toBeNull();
    const document = JSON.parse(text) as { paths: Record<string, Record<string, { operationId: string }>> };
    const validator = new Validator();
    expect(await validator.validate(structuredClone(document))).toEqual({ valid: true });
    expect(validator.version).toBe("3.1");
    expect((await validator.validate({ ...structuredClone(document), paths: { x: 1 } })).valid).toBe(false);
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
    expect([operations.length, new Set(operations).size]).toEqual([all.length, all.length]);
  });

  test.each(all)("[ADMIN-9] %s: its words tell the fields and parameters that it takes", (id, { body, query }) => {
    const { body: told = {}, query: asked = {} } = words.ADMIN_WORDS[id];
    expect(Object.keys(asked)).toEqual(query);
    if (body?.fields === "settings") {
      expect(Object.keys(words.BODIES[told as keyof typeof words.BODIES])).toEqual(expect.arrayContaining([...(body.besides ?? [])]));
    } else if (body?.fields === "file") expect(words.ADMIN_WORDS[id].takes).toMatch(/^[a-z]+\/[a-z*]+$/);
    else expect(Object.keys(told)).toEqual(body?.fields ?? []);
  });

  test("[ADMIN-10] who may only look changes nothing", () => {
    expect(all.filter(([id, { role }]) => role === "viewer" && !id.startsWith("GET ")).map(([id]) => id)).toEqual([]);
    expect(all.filter(([id, { body }]) => id.startsWith("GET ") !== (body === null)).map(([id]) => id)).toEqual([]);
  });

  test("[ADMIN-10] what is an admin's alone is written here a second time, so that no route changes hands unseen", () => {
    expect(all.filter(([, { role }]) => role === "admin").map(([id]) => id)).toEqual([
      "GET /tokens",
      "POST /tokens",
      "DELETE /tokens/:token",
      "GET /audit",
      "PUT /rooms/:room/template",
      "POST /rooms/:room/reset",
      "POST /rooms/:room/invitations",
      "POST /rooms/:room/revoke-key",
    ]);
  });
});
