/**
 * The demo shop: a small site that knows nothing of the waiting room in front of it.
 * Plain Node, loopback only, its own cookie, forms, images; orders live in memory and are gone when it stops.
 */
import { createServer } from "node:http";
import { pathToFileURL } from "node:url";

const products = [
  { id: "lantern", name: "Storm lantern", price: 39, colour: "#c2571a", text: "Brass, with a glass that survives being dropped once." },
  { id: "kettle", name: "Camp kettle", price: 28, colour: "#2f6f5e", text: "One and a half litres, boils over a wood fire." },
  { id: "blanket", name: "Wool blanket", price: 74, colour: "#3c4f8a", text: "Two metres by one and a half, heavy, warm." },
];

const escapeHtml = (text) => String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

/** Starts the shop on 127.0.0.1; port 0 = a free one. Resolves with `{ url, stop }`. */
export function startShop(port = 0) {
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => {
      console.error("demo shop:", error);
      response.writeHead(500).end();
    });
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      const url = `http://127.0.0.1:${server.address().port}`;
      const stop = () =>
        new Promise((done) => {
          server.close(done);
          server.closeAllConnections();
        });
      resolve({ url, stop });
    });
  });
}

let orders = 0;

async function answer(request, response) {
  const { pathname } = new URL(request.url, "http://shop.invalid");
  const basket = readBasket(request.headers.cookie);
  const product = products.find(({ id }) => pathname === `/products/${id}`);
  const picture = products.find(({ id }) => pathname === `/images/${id}.svg`);
  const isRead = request.method === "GET" || request.method === "HEAD";

  if (isRead && picture) return send(response, 200, "image/svg+xml", drawing(picture), { "Cache-Control": "public, max-age=3600" });
  if (isRead && pathname === "/style.css") return send(response, 200, "text/css", style, { "Cache-Control": "public, max-age=3600" });
  if (isRead && pathname === "/") return page(request, response, 200, "Three good things", home());
  if (isRead && product) return page(request, response, 200, product.name, productPage(product));
  if (isRead && pathname === "/basket") return page(request, response, 200, "Your basket", basketPage(basket));
  if (request.method === "POST" && pathname === "/basket") {
    const wanted = (await readForm(request)).get("product");
    if (!products.some(({ id }) => id === wanted)) return page(request, response, 400, "No such thing", "<p>We do not sell that.</p>");
    return redirect(response, "/basket", `basket=${[...basket, wanted].slice(-20).join(".")}; Path=/; HttpOnly; SameSite=Lax`);
  }
  if (request.method === "POST" && pathname === "/checkout") {
    const name = (await readForm(request)).get("name") || "you";
    if (basket.length === 0) return page(request, response, 400, "Nothing to order", "<p>Your basket is empty.</p>");
    orders += 1;
    response.setHeader("Set-Cookie", "basket=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax");
    return page(request, response, 200, "Thank you", `<p>Order ${orders} for ${escapeHtml(name)} is noted: ${total(basket)} €.</p>`);
  }
  return page(request, response, 404, "Not here", "<p>There is nothing at this address.</p>");
}

const home = () =>
  `<ul class="shelf">${products
    .map(
      ({ id, name, price }) =>
        `<li><a href="/products/${id}"><img src="/images/${id}.svg" alt="" width="160" height="120">${name}</a> ${price} €</li>`,
    )
    .join("")}</ul>`;

const productPage = ({ id, name, price, text }) =>
  `<img src="/images/${id}.svg" alt="${name}" width="320" height="240"><p>${text}</p>
  <form method="post" action="/basket"><input type="hidden" name="product" value="${id}"><button>Put in the basket, ${price} €</button></form>`;

function basketPage(basket) {
  if (basket.length === 0) return "<p>It is empty.</p>";
  const lines = basket.map((id) => products.find((p) => p.id === id)).map(({ name, price }) => `<li>${name}, ${price} €</li>`);
  return `<ul>${lines.join("")}</ul><p>Together ${total(basket)} €</p>
  <form method="post" action="/checkout"><label>Your name <input name="name" autocomplete="name" maxlength="80"></label> <button>Order</button></form>`;
}

const total = (basket) => basket.reduce((sum, id) => sum + products.find((p) => p.id === id).price, 0);

function readBasket(cookies = "") {
  const value = /(?:^|;\s*)basket=([a-z.]*)/.exec(cookies)?.[1] ?? "";
  return value.split(".").filter((id) => products.some((p) => p.id === id));
}

async function readForm(request) {
  let text = "";
  for await (const chunk of request) {
    text += chunk;
    if (text.length > 65_536) throw new Error("form larger than 64 KB");
  }
  return new URLSearchParams(text);
}

/** The shop shows what the room told it: the one thing a protected site may want to read. */
function page(request, response, status, title, body) {
  const told = Object.entries(request.headers).filter(([name]) => name.startsWith("vestibule-"));
  const words = told.length > 0 ? told.map(([name, value]) => `${escapeHtml(name)}: ${escapeHtml(value)}`).join(" · ") : "nothing";
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} · Demo shop</title>
  <link rel="stylesheet" href="/style.css"><header><a href="/">Demo shop</a> <a href="/basket">Basket</a></header><main><h1>${title}</h1>${body}</main>
  <footer>The room told the shop: ${words}</footer></html>`;
  return send(response, status, "text/html; charset=utf-8", html, { "Cache-Control": "no-store" });
}

function redirect(response, location, cookie) {
  response.writeHead(303, { Location: location, "Set-Cookie": cookie, "Cache-Control": "no-store" }).end();
}

function send(response, status, type, body, headers) {
  response.writeHead(status, { "Content-Type": type, "Content-Length": Buffer.byteLength(body), ...headers }).end(body);
}

const drawing = ({ name, colour }) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 240"><title>${name}</title><rect width="320" height="240" fill="#f3efe6"/><rect x="95" y="60" width="130" height="140" rx="22" fill="${colour}"/><path d="M115 60q45-60 90 0" fill="none" stroke="${colour}" stroke-width="10"/></svg>`;

const style = `body{font:1.1rem/1.5 system-ui,sans-serif;max-width:44rem;margin:0 auto;padding:1rem;color:#222;background:#fff}
header a{margin-right:1rem}.shelf{display:flex;flex-wrap:wrap;gap:1.5rem;list-style:none;padding:0}.shelf a{display:block}
img{max-width:100%;height:auto}button,input{font:inherit;padding:.4rem .8rem}footer{margin-top:3rem;font-size:.8rem;color:#555}`;

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { url } = await startShop(Number(process.argv[2] ?? 0));
  console.log(`Demo shop, without a room in front: ${url}/`);
}
