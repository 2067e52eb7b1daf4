import { isContentMark } from "../model/fingerprint.ts";
import type { AnyKind, Wire } from "../model/kind.ts";
import { readFields } from "../model/wire-fields.ts";
import { holdsSecret, same } from "../plan/diff-fields.ts";
import type { Operation, Precondition } from "../plan/plan.ts";
import type { ApplyContext } from "./apply-context.ts";
import { toLiveReferences } from "./encode-fields.ts";
import { isMissing, OperationFailed } from "./operation-failed.ts";

/** From this age on, what was read is read again before it is written (docs/engine.md, Concurrency). */
const staleAfterMs = 10_000;

/** Refuses to write over what someone changed since it was read. */
export async function checkPrecondition(context: ApplyContext, operation: Operation, kind: AnyKind): Promise<void> {
  const { precondition, address } = operation;
  const isFresh = context.clock.now() - context.readAt <= staleAfterMs;
  if (precondition === undefined || isFresh || context.touched.has(address) || kind.remote.read === undefined) return;
  const { api, plan } = context;
  const now = await kind.remote
    .read({ api, organization: plan.target.organization, id: precondition.id, address })
    .catch((problem: unknown) => {
      if (isMissing(problem)) return undefined;
      throw problem;
    });
  if (now === undefined) throw changedMeanwhile(address, "it is gone");
  if (now["createdAt"] !== precondition.createdAt) throw changedMeanwhile(address, "another object has its id");
  if (now["updatedAt"] === precondition.updatedAt) return;
  const moved = [
    ...movedFields(context, kind, { precondition, now }),
    ...(await movedContents(context, kind, { operation, precondition, now })),
  ];
  if (moved.length > 0) throw changedMeanwhile(address, `someone changed ${moved.join(", ")}`);
}

function movedFields(
  context: ApplyContext,
  kind: AnyKind,
  { precondition, now }: { precondition: Precondition; now: Wire },
): readonly string[] {
  const readable = Object.entries(precondition.managed).filter(
    ([, value]) => !holdsSecret(value) && !isContentMark(value),
  );
  const planned = toLiveReferences(context, kind, Object.fromEntries(readable));
  const fields = readFields(kind, now);
  return Object.keys(planned).filter((name) => !same(planned[name], fields[name] ?? kind.fields[name]?.default));
}

/** Texts and files that are others than those that were read; what an answer does not carry is fetched. */
async function movedContents(
  { api, plan, hash }: ApplyContext,
  kind: AnyKind,
  { operation, precondition, now }: { operation: Operation; precondition: Precondition; now: Wire },
): Promise<readonly string[]> {
  const scope = { api, organization: plan.target.organization, id: precondition.id, address: operation.address };
  const fields = readFields(kind, now);
  const moved: string[] = [];
  for (const [name, planned] of Object.entries(precondition.managed)) {
    if (!isContentMark(planned)) continue;
    const content = kind.fields[name]?.content === "bytes" ? await kind.remote.download?.(scope) : fields[name];
    const isText = typeof content === "string" || content instanceof Uint8Array;
    if (!isText || hash(content) !== planned.$content) moved.push(name);
  }
  return moved;
}

/** The object is not as planned, so it is left alone. */
export function changedMeanwhile(address: string, found: string): OperationFailed {
  return new OperationFailed(address, {
    code: "LF6002",
    summary: `${address} changed since it was planned`,
    detail: `found that ${found}; expected it as it was read. Nothing was written to it. Plan again`,
  });
}
