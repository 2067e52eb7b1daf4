for (const pan of document.querySelectorAll(".pan")) startPan(pan);
for (const command of document.querySelectorAll(".command")) addCopy(command);

/** A large picture is dragged, and drawn larger or smaller; without this script its window scrolls. */
function startPan(pan) {
  const view = pan.querySelector(".view");
  const picture = view.querySelector("svg");
  const [width, height] = [picture.width.baseVal.value, picture.height.baseVal.value];
  let scale = 1;
  const zoom = (to, at = { x: view.clientWidth / 2, y: view.clientHeight / 2 }) => {
    const next = Math.min(2, Math.max(0.05, to));
    const [x, y] = [(view.scrollLeft + at.x) / scale, (view.scrollTop + at.y) / scale];
    scale = next;
    picture.setAttribute("width", String(width * scale));
    picture.setAttribute("height", String(height * scale));
    view.scrollTo(x * scale - at.x, y * scale - at.y);
  };
  const steps = {
    in: () => zoom(scale * 1.25),
    out: () => zoom(scale / 1.25),
    fit: () => zoom(Math.min(1, view.clientWidth / width)),
  };
  for (const button of pan.querySelectorAll("[data-zoom]"))
    button.addEventListener("click", steps[button.dataset.zoom]);
  pan.querySelector(".zoom").hidden = false;
  view.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const box = view.getBoundingClientRect();
      zoom(scale * (event.deltaY < 0 ? 1.1 : 1 / 1.1), { x: event.clientX - box.left, y: event.clientY - box.top });
    },
    { passive: false },
  );
  startDrag(view);
}

function startDrag(view) {
  let from;
  view.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "mouse" || event.button !== 0) return;
    from = { x: event.clientX + view.scrollLeft, y: event.clientY + view.scrollTop };
    view.setPointerCapture(event.pointerId);
    view.classList.add("dragged");
  });
  view.addEventListener("pointermove", (event) => {
    if (from !== undefined) view.scrollTo(from.x - event.clientX, from.y - event.clientY);
  });
  for (const end of ["pointerup", "pointercancel"])
    view.addEventListener(end, () => {
      from = undefined;
      view.classList.remove("dragged");
    });
}

/** Where the browser allows it, a command is copied by a button. */
function addCopy(command) {
  if (!navigator.clipboard) return;
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(command.textContent);
    button.textContent = "Copied";
  });
  command.after(button);
}
