import { kinds } from "../../kinds/index.ts";
import { type Diagnostic, hasErrors, problem } from "../../model/diagnostic.ts";
import type { Redact } from "../../model/redact.ts";
import { secretsIn } from "../../model/secret-texts.ts";
import { otherTarget } from "../../plan/plan-input.ts";
import { readableValue } from "../../report/readable-value.ts";
import { makeSnapshot } from "../../snapshot/make-snapshot.ts";
import { snapshotText } from "../../snapshot/read-snapshot.ts";
import { secretFingerprint } from "../../state/secret-fingerprint.ts";
import { sha256 } from "../../workspace/hash.ts";
import { type OpenProject, planPlace, withProject } from "../connect.ts";
import { orExplained } from "../explain-failure.ts";
import { redactSecrets } from "../known-secrets.ts";
import { loadFolder } from "../open-project.ts";
import { freshState } from "../open-state.ts";
import { previewRecovery } from "../preview-recovery.ts";
import { readLive, withContents } from "../read-live.ts";
import type { ProjectFlags, System } from "../system.ts";

/** A snapshot as text, or why there is none. */
export interface TakenSnapshot {
  readonly diagnostics: readonly Diagnostic[];
  readonly text?: string;
  /** Numbers of bound objects, and of all others. */
  readonly counts?: { readonly bound: number; readonly others: number };
}

/** Takes the snapshot of a project: the live tree and the bindings, read as a plan reads them. */
export async function takeSnapshot(
  flags: ProjectFlags & { readonly withContents: boolean },
  system: System,
): Promise<TakenSnapshot> {
  return orExplained<TakenSnapshot>(
    async () => {
      const project = await loadFolder(flags, system, { unsetEnv: "error" });
      const { diagnostics } = project;
      if (hasErrors(diagnostics)) return { diagnostics };
      return withProject(project, { system, parallelism: undefined }, async (open) => {
        const snapshot = await snapshotOf(open, flags.withContents);
        const counts = { bound: Object.keys(snapshot.bound).length, others: snapshot.others.length };
        return { diagnostics, text: snapshotText(snapshot), counts };
      });
    },
    (diagnostics) => ({ diagnostics }),
  );
}

async function snapshotOf(open: OpenProject, isWithContents: boolean) {
  const { project, store, system, connection } = open;
  const now = system.now();
  const stored = (await store.read()) ?? freshState(project);
  const elsewhere = otherTarget({ ...planPlace(open), state: stored.state });
  if (elsewhere[0]) throw problem(elsewhere[0].code, elsewhere[0].summary, elsewhere[0].detail);
  const read = await readLive(connection, { desired: project.tree, stored, everything: true });
  const { state, live } = previewRecovery(stored, read.tree);
  const show = new Set(Object.values(state.resources).map(({ kind, id }) => `${kind}#${id}`));
  const texts = isWithContents ? (await withContents(connection, live, { state, show })).contents : live.contents;
  const secrets = [...project.secrets, ...secretsIn(project.tree.nodes.values())];
  const redact = redactSecrets(system.env, { secrets, nodes: [] });
  const { organization } = project.service;
  const snapshot = makeSnapshot({
    ...{ kinds, state, secrets, now, hash: sha256 },
    live: { nodes: live.nodes, contents: texts },
    target: { ...connection.target, url: String(readableValue(connection.target.url)) },
    ...(organization !== undefined && { organization }),
    desired: project.tree,
    fingerprint: secretFingerprint(state, system.deriveKey),
    hides: (text) => redact(text) !== text || readableValue(text) !== text,
    withContents: isWithContents,
  });
  refuseSecretNames(snapshot, redact);
  return snapshot;
}

/** Names and addresses cannot be hidden: without them no plan finds its objects. */
function refuseSecretNames(
  { project, environment = "", target, organization = "", bound }: ReturnType<typeof makeSnapshot>,
  redact: Redact,
) {
  const paths = Object.values(bound).flatMap(({ hidden = [] }) => hidden);
  const texts = [project, environment, target.url, String(organization), ...Object.keys(bound), ...paths];
  const found = texts.find((text) => redact(text) !== text);
  if (found === undefined) return;
  const detail = `${redact(found)} has a secret of the project in it, and a snapshot needs it as it is. Rename it, or take another secret`;
  throw problem("LF5013", "the snapshot would show a secret", detail);
}
