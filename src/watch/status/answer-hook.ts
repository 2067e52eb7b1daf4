import { isGenuine, isSigned, projectsOfPush, readHook } from "./hooks.ts";
import { Refusal } from "./refusal.ts";
import { type Asked, fromWatcher, jsonAnswer, type StatusAnswer } from "./status-request.ts";

/** Pushes of thousands of commits are smaller; a larger one is found by the next check all the same. */
const limit = 5_000_000;

/** Asks for a check of the projects that a push is about. The head is looked at before the body is read. */
export async function answerHook({ request, sources, name }: Asked): Promise<StatusAnswer> {
  const { hookSecret: secret, view } = sources;
  if (secret === undefined || secret === "")
    throw new Refusal(404, "Hooks are not taken: this watcher has no listen.hooks.secret");
  const sender = name === "github" ? "github" : "gitlab";
  const { headers } = request;
  if (!isSigned(sender, headers, secret)) throw unsigned();
  const signed = { sender, headers, body: await request.readBody(limit) } as const;
  if (!isGenuine(signed, secret)) throw unsigned();
  const hook = readHook(signed);
  if ("unreadable" in hook) throw new Refusal(400, hook.unreadable);
  if ("ignored" in hook) return jsonAnswer(200, { asked: 0, ignored: hook.ignored });
  const all = await fromWatcher(() => view.projects());
  const names = projectsOfPush(
    hook.push,
    all.map(({ project }) => project),
  );
  await fromWatcher(() => Promise.all(names.map((each) => view.ask(each, { retry: false }))));
  return jsonAnswer(names.length === 0 ? 200 : 202, { asked: names.length });
}

function unsigned(): Refusal {
  return new Refusal(
    401,
    "The hook is not signed with the secret of this watcher: expected X-Hub-Signature-256 of GitHub or X-Gitlab-Token of GitLab",
  );
}
