/** The shop's pages, as HTML: facts in, text out. `html` escapes whatever is put into it. */
import { html } from "hono/html";

const euros = (cents) => `${(cents / 100).toFixed(2)} €`;

export function shopPage({ count, hold, orders, most }) {
  const numbers = Array.from({ length: most }, (_, i) => i + 1);
  const form = html`<form method="post" action="/hold"><label>Seats <select name="count">${numbers.map((n) => html`<option>${n}</option>`)}</select></label>
<button>Hold them for me</button></form>`;
  const held = hold && html`<p>You hold ${hold.seats.join(", ")}. <a href="/hold">Pay for them</a>.</p>`;
  return page("The Midnight Orchestra", [
    html`<p>${count.free} of ${count.seats} seats are free, ${count.held} in somebody's hands.</p>`,
    held || (count.sold < count.seats ? form : html`<p>Sold out.</p>`),
    orders.length > 0 ? html`<p><a href="/orders">Your tickets</a></p>` : "",
  ]);
}

export function holdPage({ hold }) {
  const minutes = Math.max(0, Math.floor((hold.until.getTime() - Date.now()) / 60_000));
  return page("Your seats", [
    html`<p><strong>${hold.seats.join(", ")}</strong>, ${euros(hold.cents)} together. They are yours for ${minutes} more minutes, until
<time datetime="${hold.until.toISOString()}">${hold.until.toISOString().slice(11, 19)} UTC</time>.</p>`,
    html`<form method="post" action="/pay"><input type="hidden" name="hold" value="${hold.hold}">
<label>Your name <input name="name" required maxlength="80" autocomplete="name"></label> <button>Pay ${euros(hold.cents)}</button></form>
<p>No card is asked for: this is an example.</p>`,
  ]);
}

export function ordersPage({ orders }) {
  const list = orders.map(
    ({ hold, name, cents, seats }) =>
      html`<li data-order="${hold}" data-seats="${seats.join(" ")}">${seats.join(", ")} for ${name}, ${euros(cents)}</li>`,
  );
  return page("Your tickets", [
    orders.length > 0 ? html`<ul>${list}</ul>` : html`<p>None yet.</p>`,
    html`<p><a href="/">The seats</a></p>`,
  ]);
}

export function messagePage({ title, text, back }) {
  return page(title, [html`<p>${text}</p>`, back ? html`<p><a href="${back}">Back</a></p>` : ""]);
}

function page(title, parts) {
  return html`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} · Tickets</title>
<style>body{font:1.1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:0 auto;padding:1rem}button,input,select{font:inherit;padding:.3rem .7rem}footer{margin-top:3rem}</style>
<main><h1>${title}</h1>${parts}</main>
<footer><form method="post" action="/leave"><button>Leave: give back my seats and my place</button></form></footer></html>`;
}
