const search = document.getElementById("search");
const found = document.getElementById("found");
const none = document.getElementById("none");
const sections = [...document.querySelectorAll("section.routes")].map((section) => ({
  section,
  link: document.querySelector(`nav a[href="#${section.id}"]`),
  articles: [...section.querySelectorAll("article")].map((article) => ({
    article,
    text: article.textContent.toLowerCase().replace(/\s+/g, " "),
  })),
}));
const asides = [document.getElementById("first"), document.getElementById("shapes")];

/** The examples name this very service. */
const origin = location.origin + location.pathname.replace(/\/_loadform\/docs\/?$/, "");
if (location.protocol.startsWith("http"))
  for (const code of document.querySelectorAll("pre code"))
    code.textContent = code.textContent.replaceAll("http://127.0.0.1:8080", origin);

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

/** Shows the routes that contain every word. */
function narrow(text) {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  let total = 0;
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
    total += shown;
  }
  for (const aside of asides) aside.hidden = words.length > 0;
  none.hidden = total > 0;
  found.textContent = words.length > 0 ? `${total} ${total === 1 ? "route" : "routes"}` : "";
}
