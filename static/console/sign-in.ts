/** Signing in by a pasted token. Where Cloudflare Access stands in front, nobody sees this. */
import { field, h, setText } from "./dom";

/** @param tryToken resolves to null where it is good, else to what is wrong */
export function signIn(tryToken: (token: string) => Promise<string | null>, said: string): HTMLElement {
  const token = h("input", { type: "password", required: true, autocomplete: "off", spellcheck: "false", autocapitalize: "none" });
  const wrong = h("p", { class: "bad", role: "alert" }, said);
  const go = h("button", { type: "submit" }, "Sign in");
  const form = h(
    "form",
    { class: "card sign-in" },
    h("h1", { tabindex: -1 }, "Waiting room console"),
    field("Token", token, "ADMIN_TOKEN, or one that an admin made for you. It stays in this tab and is forgotten with it."),
    wrong,
    h("div", { class: "acts" }, go),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    go.disabled = true;
    void tryToken(token.value.trim()).then((problem) => {
      go.disabled = false;
      setText(wrong, problem ?? "");
      if (problem !== null) token.select();
    });
  });
  return form;
}
