import { el, show } from "../../../pictures/page-dom.js";

const said = document.getElementById("said");
const trouble = document.getElementById("trouble");

/** Shows the failures that keep the page from reading, for as long as they do. */
export function showTrouble(failures) {
  const texts = failures.map(({ status, message }) => (status === 0 ? `${message} ${silence}` : message));
  show(trouble, [...new Set(texts)], (all) => all.map((text) => notice(text)));
}

const silence = "It is asked again every few seconds, and this page continues by itself. loadform serve starts it.";

/** Shows the failure of an action until it is closed, or until the next one. */
export function sayFailure(failure) {
  const lines = failure.errors.map((each) => el("li", {}, `${each.field}: ${each.message}`));
  const advice = el("p", {}, ...adviceOf(failure));
  said.replaceChildren(notice(failure.message, lines.length > 0 && el("ul", {}, lines), advice, closeButton()));
}

/** Shows the result of an action. */
export function say(parts) {
  said.replaceChildren(el("div.notice", {}, el("p", {}, ...parts), closeButton()));
}

/** Takes back what was said. */
export function unsay() {
  said.replaceChildren();
}

function notice(text, ...more) {
  return el("div.notice.bad", {}, el("p", {}, text), ...more);
}

function adviceOf({ status }) {
  const faults = el("a", { href: "#faults" }, "Faults");
  if (status === 0 || status >= 500)
    return ["Whether it was done is not known. A fault may be planned for it: see ", faults, ". Else try again."];
  if (status === 409) return ["Nothing was changed. What is shown is read anew."];
  if (status === 404) return ["It may have been deleted meanwhile."];
  return ["Nothing was changed. Correct it and try again."];
}

function closeButton() {
  const close = () => {
    unsay();
    document.getElementById("main").focus();
  };
  return el("button.plain", { type: "button", onclick: close }, "Close");
}
