/** An element: `tag.class.class`, attributes (`onclick` and its like are listeners), children. Text stays text. */
export function el(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const node = document.createElement(name);
  if (classes.length > 0) node.className = classes.join(" ");
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (attribute.startsWith("on")) node.addEventListener(attribute.slice(2), value);
    else node.setAttribute(attribute, value === true ? "" : String(value));
  }
  node.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== false));
  return node;
}

const shown = new WeakMap();

/** Fills a place anew when what it shows has changed; by their `data-key` the focus stays, and what was opened or closed does. */
export function show(place, value, build) {
  const text = JSON.stringify(value);
  if (shown.get(place) === text) return;
  shown.set(place, text);
  const focused = place.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  const unfolded = new Map(foldsOf(place).map(({ key, details }) => [key, details.open]));
  const content = build(value);
  place.replaceChildren(...(Array.isArray(content) ? content : [content]));
  for (const { key, details } of foldsOf(place)) details.open = unfolded.get(key) ?? details.open;
  if (focused !== undefined) place.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
}

function foldsOf(place) {
  const summaries = [...place.querySelectorAll("summary[data-key]")];
  return summaries.map((summary) => ({ key: summary.dataset.key, details: summary.parentElement }));
}

/** A button that runs a task, one at a time; what goes wrong is reported, what it changed is read at once. It is not disabled meanwhile: that would lose the focus. */
export function button(label, task, { kind = "plain", key = label } = {}) {
  let isBusy = false;
  const act = async () => {
    if (isBusy) return;
    isBusy = true;
    document.dispatchEvent(new CustomEvent("acted"));
    try {
      await task();
    } catch (failure) {
      document.dispatchEvent(new CustomEvent("failure", { detail: failure }));
    }
    isBusy = false;
    document.dispatchEvent(new CustomEvent("refresh"));
  };
  return el(`button.${kind}`, { type: "button", onclick: act, "data-key": key }, label);
}

/** A field with its label; a hint is part of its description. */
export function field(label, control, hint) {
  const id = `field-${label.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`;
  control.id = id;
  if (hint !== undefined) control.setAttribute("aria-describedby", `${id}-hint`);
  const note = hint !== undefined && el("small", { id: `${id}-hint` }, hint);
  return el("div.field", {}, el("label", { for: id }, label), control, note);
}

/** A list of choices; each is a text or [value, text]. */
export function select(choices, attributes = {}) {
  const options = choices.map((choice) => {
    const [value, text] = Array.isArray(choice) ? choice : [choice, choice];
    return el("option", { value }, text);
  });
  return el("select", attributes, options);
}

/** A table whose rows are lists of cells; the first cell heads its row. A column is its title, or [title] where it holds words. */
export function table(caption, columns, rows) {
  const kinds = columns.map((column) => (Array.isArray(column) ? "words" : undefined));
  const head = columns.map((column, index) => el("th", { scope: "col", class: kinds[index] }, column));
  const body = rows.map(([first, ...cells]) => {
    const rest = cells.map((cell, index) => el("td", { class: kinds[index + 1] }, cell));
    return el("tr", {}, el("th", { scope: "row" }, first), rest);
  });
  const content = el(
    "table",
    {},
    el("caption", {}, caption),
    el("thead", {}, el("tr", {}, head)),
    el("tbody", {}, body),
  );
  return el("div.scroll", { role: "region", "aria-label": caption, tabindex: 0 }, content);
}

/** The text of a view with nothing to show. */
export function empty(title, ...more) {
  return el("div.empty", {}, el("p", {}, el("strong", {}, title)), el("p", {}, ...more));
}

/** A word in a colour of its meaning. */
export function chip(text, tone = "plain") {
  return el(`span.chip.${tone}`, {}, text);
}
