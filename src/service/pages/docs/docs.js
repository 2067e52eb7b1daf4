const search = document.getElementById("search");
const found = document.getElementById("found");
const none = document.getElementById("none");
const sections = [...document.querySelectorAll("section.routes, section.shapes")].map((section) => ({
  section,
  link: document.querySelector(`nav a[href="#${section.id}"]`),
  articles: [...section.querySelectorAll("article")].map((article) => ({
    article,
    text: article.textContent.toLowerCase().replace(/\s+/g, " "),
  })),
}));
const asides = ["first", "routes"].map((id) => document.getElementById(id));

/** The examples name this very service, and the key that was typed. */
const origin = location.origin + location.pathname.replace(/\/_loadform\/docs\/?$/, "");
const commands = [...document.querySelectorAll("pre code")].map((code) => ({ code, text: code.textContent }));
const key = document.getElementById("key");
key?.addEventListener("input", writeCommands);
writeCommands();
for (const { code } of commands) addCopyButton(code.parentElement);

function writeCommands() {
  // The key is between double quotes of a shell.
  const given = (key?.value || "YOUR-KEY").replace(/["\\$`]/g, "\\$&");
  for (const { code, text } of commands)
    code.textContent = text.replaceAll("http://127.0.0.1:8080", origin).replaceAll("YOUR-KEY", () => given);
}

/** Off loopback browsers give pages no clipboard: then one selects. */
function addCopyButton(pre) {
  if (!navigator.clipboard) return;
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.setAttribute("aria-label", `Copy: ${pre.getAttribute("aria-label")}`);
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(pre.textContent).then(
      () => (button.textContent = "Copied"),
      () => getSelection().selectAllChildren(pre),
    );
    setTimeout(() => (button.textContent = "Copy"), 2000);
  });
  const box = document.createElement("div");
  box.className = "command";
  pre.replaceWith(box);
  box.append(pre, button);
}

search.addEventListener("input", () => narrow(search.value));
addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target.matches("input, textarea, select")) return;
  event.preventDefault();
  search.focus();
});
// A link to a route that the search hides leads there all the same.
addEventListener("hashchange", () => {
  const target = document.getElementById(location.hash.slice(1));
  if (target?.closest("[hidden]") === null || target === null) return;
  search.value = "";
  narrow("");
  target.scrollIntoView();
});

/** Shows the routes and schemas that contain every word. */
function narrow(text) {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const totals = { routes: 0, shapes: 0 };
  for (const { section, link, articles } of sections) {
    let shown = 0;
    for (const each of articles) {
      const matches = words.every((word) => each.text.includes(word));
      each.article.hidden = !matches;
      shown += matches ? 1 : 0;
    }
    section.hidden = shown === 0;
    link.closest("li").hidden = shown === 0;
    link.querySelector("span").textContent = shown;
    totals[section.className] += shown;
  }
  for (const aside of asides) aside.hidden = words.length > 0;
  none.hidden = totals.routes + totals.shapes > 0;
  const several = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
  found.textContent = words.length > 0 ? `${several(totals.routes, "route")}, ${several(totals.shapes, "schema")}` : "";
}
