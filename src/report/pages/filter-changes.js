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

function startFilter(bar, list) {
  const input = bar.querySelector("input");
  const buttons = [...bar.querySelectorAll("[data-filter]")];
  const found = bar.querySelector(".found");
  const groups = [...list.children].map((group) => ({ group, changes: [...group.querySelectorAll(".change")] }));
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
    let count = 0;
    for (const { group, changes } of groups) {
      const top = group.querySelector("summary").textContent.toLowerCase();
      let left = 0;
      for (const change of changes) {
        const fits = words.every((word) => top.includes(word) || textOf(change).includes(word));
        change.hidden = !fits || !shown.has(change.dataset.action);
        if (!change.hidden) left++;
      }
      group.hidden = left === 0;
      count += left;
    }
    const all = groups.reduce((sum, { changes }) => sum + changes.length, 0);
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
