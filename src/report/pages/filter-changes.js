/** Lists of changes are searched and filtered; without this script all of them are shown, and fold. */
for (const bar of document.querySelectorAll(".filters")) startFilter(bar, bar.nextElementSibling);

/** A page is printed with all that is folded. */
addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("details")) details.open = true;
});

addEventListener("hashchange", unfoldTarget);
unfoldTarget();

/** What a link leads to is unfolded. */
function unfoldTarget() {
  const target = location.hash === "" ? null : document.getElementById(location.hash.slice(1));
  for (let each = target?.closest("details"); each; each = each.parentElement.closest("details")) each.open = true;
}

/** The words of the groups that a change is in. */
function summariesAbove(change) {
  const words = [];
  for (let group = change.closest(".group"); group; group = group.parentElement.closest(".group"))
    words.push(group.querySelector("summary").textContent.toLowerCase());
  return words.join(" ");
}

function startFilter(bar, list) {
  const input = bar.querySelector("input");
  const buttons = [...bar.querySelectorAll("[data-filter]")];
  const found = bar.querySelector(".found");
  const changes = [...list.querySelectorAll(".change")];
  const groups = [...list.querySelectorAll(".group")].map((group) => [group, [...group.querySelectorAll(".change")]]);
  const tops = new Map(changes.map((change) => [change, summariesAbove(change)]));
  const texts = new Map();
  const textOf = (node) => {
    if (!texts.has(node)) texts.set(node, node.textContent.toLowerCase());
    return texts.get(node);
  };
  const update = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = new Set(
      buttons.filter((each) => each.getAttribute("aria-pressed") === "true").map((each) => each.dataset.filter),
    );
    for (const change of changes) {
      const fits = words.every((word) => tops.get(change).includes(word) || textOf(change).includes(word));
      change.hidden = !fits || !shown.has(change.dataset.action);
    }
    for (const [group, own] of groups) group.hidden = own.every((change) => change.hidden);
    const left = changes.filter((change) => !change.hidden);
    const [count, all] = [left, changes].map(({ length }) => length.toLocaleString("en-US"));
    found.textContent = count === all ? `${all} objects` : `${count} of ${all} objects`;
  };
  bar.hidden = false;
  input.addEventListener("input", update);
  for (const button of buttons)
    button.addEventListener("click", () => {
      button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
      update();
    });
  for (const button of bar.querySelectorAll("[data-fold]"))
    button.addEventListener("click", () => {
      for (const details of list.querySelectorAll("details.change, details.group"))
        details.open = button.dataset.fold === "open" || details.matches(".group");
    });
}
