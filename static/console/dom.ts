/** Elements without a framework: what is shown is text and attributes, never HTML made of data. Knows nothing of rooms. */

export type Child = Node | string | null | false | undefined;
type Value = string | number | boolean | null | undefined | ((event: Event) => void);
export type Props = Readonly<Record<string, Value>>;

/** `h("button", { type: "button", onclick: act }, "Pause")`; true = the attribute without a value, false and null = none. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  props: Props = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === "function") made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, String(value));
  }
  put(made, ...children);
  return made;
}

/** Appends what is there. */
export function put(parent: Element, ...children: readonly Child[]): void {
  for (const child of children) if (child !== null && child !== false && child !== undefined) parent.append(child);
}

/** Replaces what is in it. */
export function fill(parent: Element, ...children: readonly Child[]): void {
  parent.replaceChildren();
  put(parent, ...children);
}

/** Only where it differs, so that nothing is read out or redrawn for no reason. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export function button(label: string, onclick: () => void, props: Props = {}): HTMLButtonElement {
  return h("button", { type: "button", ...props, onclick }, label);
}

let made = 0;

/** A label above its control; the hint is read with it. */
export function field(label: string, control: HTMLElement, hint = ""): HTMLElement {
  const id = control.id || `f${++made}`;
  control.id = id;
  if (hint !== "") control.setAttribute("aria-describedby", `${id}-hint`);
  return h(
    "div",
    { class: "field" },
    h("label", { for: id }, label),
    control,
    hint !== "" && h("p", { id: `${id}-hint`, class: "hint" }, hint),
  );
}

/** A table that scrolls by itself where it is too wide; `name` says what it lists. */
export function table(name: string, heads: readonly string[], rows: readonly (readonly Child[])[]): HTMLElement {
  const head = h("tr", {}, ...heads.map((text) => h("th", { scope: "col" }, text)));
  const body = rows.map((cells) => h("tr", {}, ...cells.map((cell) => h("td", {}, cell))));
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": `${name}, table` },
    h("table", {}, h("thead", {}, head), h("tbody", {}, ...body)),
  );
}

/** A part of a page with its heading. */
export function card(title: string, ...children: readonly Child[]): HTMLElement {
  const id = `c${++made}`;
  return h("section", { class: "card", "aria-labelledby": id }, h("h2", { id }, title), ...children);
}
