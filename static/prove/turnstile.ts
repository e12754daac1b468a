/**
 * Turnstile's widget, rendered when the room asks for it. Its script is loaded once, from where the challenge says; what it does in its own
 * frame is its own business. A token is good once: asked again, the widget makes another.
 */
import type { Challenge } from "../../src/core/proof";
import type { Panel } from "./panel";

type Asked = Extract<Challenge, { kind: "turnstile" }>;

interface Api {
  render(element: HTMLElement, options: Readonly<Record<string, unknown>>): string;
  reset(id: string): void;
  remove(id: string): void;
}

const api = () => (globalThis as { turnstile?: Api }).turnstile;

export class Turnstile {
  readonly #panel: Panel;
  readonly #answer: (header: string) => void;
  #id: string | null = null;
  #loading = false;

  constructor(panel: Panel, answer: (header: string) => void) {
    this.#panel = panel;
    this.#answer = answer;
  }

  show(asked: Asked, failed: () => void): void {
    if (this.#id !== null) {
      // It was answered, and the answer does not count.
      if (asked.again !== undefined) api()?.reset(this.#id);
      return;
    }
    if (api() !== undefined) {
      this.#render(asked, failed);
      return;
    }
    if (this.#loading) return;
    this.#loading = true;
    const script = Object.assign(document.createElement("script"), { src: asked.script, async: true });
    script.onload = () => {
      this.#loading = false;
      this.#render(asked, failed);
    };
    script.onerror = () => {
      this.#loading = false;
      script.remove();
      failed();
    };
    document.head.append(script);
  }

  remove(): void {
    if (this.#id !== null) api()?.remove(this.#id);
    this.#id = null;
  }

  #render({ sitekey, action, cdata }: Asked, failed: () => void): void {
    const widget = document.createElement("div");
    this.#panel.hold(widget);
    this.#id =
      api()?.render(widget, {
        sitekey,
        action,
        cData: cdata,
        "response-field": false,
        callback: (token: string) => this.#answer(`turnstile ${token}`),
        "error-callback": () => {
          failed();
          return true;
        },
      }) ?? null;
  }
}
