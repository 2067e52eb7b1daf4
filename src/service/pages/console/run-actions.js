import { button, el, field } from "../../../pictures/page-dom.js";
import { addressOf, call, download } from "./api.js";

/** Actions on a run, by its state. */
export function runActions({ id, state, org, isTimed }) {
  const put = (what) => () => call("PUT", `/executions/${id}/${what}`);
  const results = [button("Result as PDF", () => savePdf(id)), org && button("Share link", () => share(id, org))];
  if (["passed", "failed", "completed"].includes(state)) return el("div.inline", {}, results);
  return el(
    "div.inline",
    {},
    state === "ready" && button("Start now", put("manual-start"), { kind: "primary" }),
    state === "running" && [...adding(id), isTimed && extending(id)].flat(),
    button("Stop", put("stop"), { kind: "danger" }),
    state === "running" && results,
  );
}

function adding(id) {
  const users = el("input", { type: "number", min: 1, value: 10, "data-key": "users" });
  const add = () => call("POST", `/executions/${id}/add-users`, { concurrentClients: Number(users.value) });
  return [field("Users to add", users), button("Add users", add)];
}

function extending(id) {
  const seconds = el("input", { type: "number", min: 1, value: 60, "data-key": "seconds" });
  const extend = () => call("POST", `/executions/${id}/live-extension`, { durationSecs: Number(seconds.value) });
  return [field("Seconds to add", seconds), button("Extend", extend)];
}

async function savePdf(id) {
  const url = URL.createObjectURL(await download(`/executions/${id}/results.pdf`));
  el("a", { href: url, download: `results-${id}.pdf` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A link to this run that is readable without a key. It opens beside the console, which would else forget its key. */
async function share(id, org) {
  const { name } = await call("POST", `/orgs/${org}/tokens`, { executionId: id });
  const link = el("a", { href: addressOf(`/p/${name}`), target: "_blank", rel: "noopener" }, `/p/${name}`);
  document.dispatchEvent(new CustomEvent("told", { detail: ["Readable without the key: ", link] }));
}
