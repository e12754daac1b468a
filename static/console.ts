/**
 * The console under /__vestibule/admin/ (SPEC section CONSOLE): who is signed in, and which screen the address names. It does what the admin
 * API does and nothing else; every rule is the API's.
 */
import { Api } from "./console/api";
import { button, fill, h } from "./console/dom";
import { RoomScreen, TABS, type Tab } from "./console/room";
import { rooms } from "./console/rooms";
import { keepToken, keptToken, type Me, may } from "./console/session";
import { signIn } from "./console/sign-in";
import { Toasts } from "./console/toasts";
import { tokens } from "./console/tokens";
import { isWall, WallScreen } from "./console/wall";

interface Screen {
  readonly node: HTMLElement;
  stop?(): void;
}

const main = document.querySelector("main") as HTMLElement;
const bar = document.querySelector("header") as HTMLElement;
const toasts = new Toasts();
document.body.append(toasts.node);

let screen: Screen | null = null;
/** Whoever is signed in. */
let current: Api | null = null;
let room: { readonly name: string; readonly screen: RoomScreen } | null = null;

/** Without a token first: where Access says who it is, none is needed. */
async function begin(): Promise<void> {
  const problem = await enter(keptToken());
  if (problem !== null) askToken(keptToken() === null ? "" : problem);
}

async function enter(token: string | null): Promise<string | null> {
  // Late news of a token that was here before ends no later visit.
  const api: Api = new Api(token, () => api === current && signOut());
  const me = await new Api(token, () => undefined).get<Me>("/me");
  if (me.as === "refused") return me.status === 401 ? "This token does not count: mistyped, ended or expired." : me.detail;
  keepToken(token);
  current = api;
  signedIn(api, me.value);
  return null;
}

function askToken(said: string): void {
  leave();
  document.title = "Waiting room console";
  fill(bar);
  fill(main, signIn(enter, said));
  main.querySelector("input")?.focus();
}

function signOut(): void {
  keepToken(null);
  current = null;
  window.onhashchange = null;
  askToken("You were signed out.");
}

function signedIn(api: Api, me: Me): void {
  const out = button("Sign out", signOut, { class: "plain small" });
  fill(
    bar,
    h("nav", { "aria-label": "Console" }, h("a", { href: "#/" }, "Rooms"), may(me, "admin") && h("a", { href: "#/tokens" }, "Tokens")),
    h("p", { class: "me" }, `${me.name} · ${me.role}`, me.via !== "access" && out),
  );
  window.onhashchange = () => show(api, me, true);
  show(api, me, false);
}

/** `#/`, `#/tokens`, `#/room/<name>/<tab>`. */
function show(api: Api, me: Me, moved: boolean): void {
  const [, kind = "", name = "", part] = location.hash.split("/").map(decodeURIComponent);
  const tab: Tab = TABS.find((known) => known === part) ?? "now";
  if (kind === "room" && name !== "" && isWall()) {
    leave();
    screen = new WallScreen(name, api);
    fill(main, screen.node);
  } else if (kind === "room" && name !== "") {
    if (room?.name === name) {
      room.screen.open(tab);
      return;
    }
    leave();
    room = { name, screen: new RoomScreen(name, api, me, toasts) };
    screen = room.screen;
    fill(main, room.screen.node);
    room.screen.open(tab);
  } else {
    leave();
    const isTokens = kind === "tokens" && may(me, "admin");
    const made: Screen = isTokens ? { node: tokens(api, toasts) } : rooms(api, me, toasts);
    screen = made;
    fill(main, h("h1", { tabindex: -1 }, isTokens ? "Tokens" : "Rooms"), made.node);
  }
  document.title = `${main.querySelector("h1")?.textContent ?? ""} – console`;
  if (moved) main.querySelector("h1")?.focus();
}

function leave(): void {
  screen?.stop?.();
  screen = null;
  room = null;
}

void begin();
