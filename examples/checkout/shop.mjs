/**
 * The shop's HTTP: who may ask, what they may do, which page they get. Seats are decided in seats.mjs, pages made in pages.mjs.
 *
 * Every request must have come through the room (its signature), but one: an app may ask for its own hold with its pass alone.
 * Whose hold it is, the room says: one visit, one `Vestibule-Session`.
 */
import { Hono } from "hono";
import { csrf } from "hono/csrf";
import { HTTPException } from "hono/http-exception";
import { cameThroughTheRoom, visitOf } from "./from-the-room.mjs";
import { holdPage, messagePage, ordersPage, shopPage } from "./pages.mjs";
import { MOST_SEATS } from "./seats.mjs";

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const MOST_NAME = 80;

/**
 * `seats`: see seats.mjs. `publicHosts`: hosts as visitors write them, with their ports. `room`: the room's name.
 * `counts`: `{ through, byPass, refused }`, which is counted up.
 */
export function createShop({ seats, publicHosts, room, counts }) {
  const shop = new Hono();

  shop.use(async (c, next) => {
    const { incoming } = c.env;
    if (publicHosts.some((host) => cameThroughTheRoom(incoming, host))) {
      counts.through += 1;
      // Empty for somebody without a place (unproven, or by a rule of the room): such a visit can look, and hold nothing.
      c.set("visit", incoming.headers["vestibule-session"] ?? "");
      return next();
    }
    const pass = /^Bearer ([\w.-]+)$/.exec(c.req.header("Authorization") ?? "")?.[1];
    const visit = pass !== undefined && c.req.method === "GET" && c.req.path === "/api/hold" ? await visitOf(pass, room) : null;
    if (visit !== null) {
      counts.byPass += 1;
      c.set("visit", visit);
      return next();
    }
    counts.refused += 1;
    return c.text(`This shop is behind a waiting room: http://${publicHosts[0]}/\n`, 403, NO_STORE);
  });
  shop.use(async (c, next) => {
    await next();
    c.header("Cache-Control", "no-store");
  });
  // The pass travels with forms of other sites too.
  shop.use(csrf());

  shop.get("/", async (c) => {
    const visit = c.get("visit");
    const [count, hold, orders] = await Promise.all([seats.count(), seats.held(visit), seats.orders(visit)]);
    return c.html(shopPage({ count, hold, orders, most: MOST_SEATS }));
  });

  shop.post("/hold", async (c) => {
    const visit = c.get("visit");
    if (visit === "")
      return c.html(messagePage({ title: "One moment", text: "You are not in yet. Open the shop once more.", back: "/" }), 409);
    const count = Number((await c.req.parseBody()).count);
    if (!Number.isInteger(count) || count < 1 || count > MOST_SEATS)
      return c.html(messagePage({ title: "How many?", text: `One to ${MOST_SEATS} seats.`, back: "/" }), 400);
    const done = await seats.hold(visit, count);
    switch (done.as) {
      case "held":
        return c.redirect("/hold", 303);
      case "sold-out":
        return c.html(messagePage({ title: "Sold out", text: "Every seat is sold." }), 410);
      case "too-few": {
        const text = `Only ${done.free} can be had at this moment. Seats that others hold and do not pay for come back.`;
        return c.html(messagePage({ title: "Not so many", text, back: "/" }), 409);
      }
    }
  });

  shop.get("/hold", async (c) => {
    const hold = await seats.held(c.get("visit"));
    return hold ? c.html(holdPage({ hold })) : c.redirect("/", 303);
  });

  shop.post("/pay", async (c) => {
    const { hold, name } = await c.req.parseBody();
    const text = typeof name === "string" ? name.replace(/\p{Cc}/gu, "") : "";
    const buyer = text.trim().slice(0, MOST_NAME);
    if (buyer === "" || typeof hold !== "string" || !UUID.test(hold))
      return c.html(messagePage({ title: "Whose tickets?", text: "Please tell us a name.", back: "/hold" }), 400);
    const done = await seats.pay(c.get("visit"), hold, buyer);
    if (done.as === "sold") return c.redirect("/orders", 303);
    const late = "The time for paying was over, and the seats went back. Nothing was charged.";
    return c.html(messagePage({ title: "Too late", text: late, back: "/" }), 409);
  });

  shop.get("/orders", async (c) => c.html(ordersPage({ orders: await seats.orders(c.get("visit")) })));

  // Gives the seats back, then the place: 307 repeats the POST at the room's own address.
  shop.post("/leave", async (c) => {
    await seats.release(c.get("visit"));
    return c.redirect(`/__vestibule/rooms/${room}/leave`, 307);
  });

  shop.get("/api/hold", async (c) => {
    const hold = await seats.held(c.get("visit"));
    return c.json(hold && { seats: hold.seats, cents: hold.cents, until: hold.until });
  });

  shop.notFound((c) => c.html(messagePage({ title: "Not here", text: "There is nothing at this address.", back: "/" }), 404));
  shop.onError((error, c) => {
    if (error instanceof HTTPException) return error.getResponse();
    console.error("shop:", error);
    return c.html(messagePage({ title: "Our fault", text: "Something went wrong here. Nothing was charged.", back: "/" }), 500);
  });
  return shop;
}

const NO_STORE = { "Cache-Control": "no-store" };
