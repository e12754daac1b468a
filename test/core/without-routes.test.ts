/** Local runs take the routes out of wrangler.toml and leave everything else alone. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { withoutRoutes } from "../../scripts/without-routes.mjs";

const rest = `name = "vestibule" # routes = [not one]
[vars]
routes = ["a variable of that name"]
# [[routes]]
[vars.ROOMS.demo]
host = "*"
`;

test.each([
  ["one line", `routes = [{ pattern = "shop.example.com/*", zone_name = "example.com" }]\n`],
  [
    "several lines, brackets in strings and comments",
    `routes = [\n  { pattern = "a.example/[x]*" }, # ]\n  { pattern = 'b.example/]' },\n]\n`,
  ],
  ["a single route", `route = "shop.example.com/*"\n`],
  ["nothing", ""],
])("[PROJECT-5] top-level routes go: %s", (_, routes) => {
  expect(withoutRoutes(routes + rest)).toBe(rest);
});

test("[PROJECT-5] tables of routes go, the table after them stays", () => {
  const table = `[[routes]]\npattern = "shop.example.com/*"\nzone_name = "example.com"\n\n[[ routes ]]\npattern = "b.example/*"\n`;
  expect(withoutRoutes(`${table}${rest}`.replace(/^name.*\n/m, ""))).toBe(rest.replace(/^name.*\n/, ""));
});

test("[PROJECT-5] routes written into the shipped file go again, everything else stays", () => {
  const shipped = withoutRoutes(readFileSync(new URL("../../wrangler.toml", import.meta.url), "utf8"));
  const deployed = shipped.replace(/^# --- end of routes/m, `routes = [\n  "shop.example.com/*",\n]\n$&`);
  expect(deployed).not.toBe(shipped);
  expect(withoutRoutes(deployed)).toBe(shipped);
});
