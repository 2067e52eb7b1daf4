import { type Diagnostic, errorOf } from "../model/diagnostic.ts";
import { canonicalJson, type JsonObject } from "../model/json.ts";
import type { AnyKind, Rule, RuleFinding } from "../model/kind.ts";
import { sensitiveText } from "../model/redact.ts";
import { holdsReference } from "../model/references.ts";
import { withoutQuoted } from "../model/secret-texts.ts";
import { nodeName, type Tree, type TreeNode } from "../model/tree.ts";
import type { Report } from "./collect-problems.ts";
import { type DeclaredObject, declaredObjects, pathOf } from "./declared-object.ts";
import { type ExpandContext, type ExpandedObject, expandObject } from "./expand-object.ts";
import { makeNode } from "./make-node.ts";
import { indexObjects, type ReferenceContext } from "./object-references.ts";
import type { Variables } from "./variables.ts";

export interface BuildContext extends Omit<ExpandContext, "keep" | "marks">, Pick<ReferenceContext, "inModule"> {
  readonly kinds: readonly AnyKind[];
  readonly variables: Variables;
}

/**
 * The desired tree of a document: everything replaced, references resolved, fields in normal form. One pass in the
 * order of the kinds, so that an object comes before those that refer to it by name.
 */
export function buildTree(document: JsonObject, context: BuildContext): Tree {
  const { kinds, report, check, variables, inModule } = context;
  const contents = new Map<string, string | Uint8Array>();
  const nodes = new Map<string, TreeNode>();
  const expanding = {
    ...context,
    marks: new Map(),
    keep: (hash: string, content: string | Uint8Array) => void contents.set(hash, content),
  };
  const objects = declaredObjects(document, kinds);
  const index = indexObjects(objects, kinds, (address) => nodes.get(address)?.fields.name);
  const makings = new Map(
    kinds.map((kind) => {
      const referring = new Set(Object.values(kind.fields).filter(holdsReference));
      return [kind, { index, referring, report, nodes, variables, inModule }];
    }),
  );
  for (const object of objects) {
    const expanded = expandObject(object, expanding);
    runRules(expanded, report, check.live);
    const making = makings.get(object.kind);
    if (making) nodes.set(object.address, makeNode(expanded, making));
  }
  reportTakenNames(objects, nodes, report);
  return { nodes, contents };
}

/** The rules of a kind over what its user wrote, so that findings point at the lines. */
function runRules(expanded: ExpandedObject, report: Report, live: boolean): void {
  const { rules, doubts } = expanded.object.kind;
  rules?.forEach((rule) => {
    const findings = rule.check(expanded.input);
    if (findings.length > 0) reportBroken({ rule, findings }, expanded, { report, live });
  });
  doubts?.forEach((check) => {
    reportFindings(check(expanded.input), { severity: "warning", code: "LF1204", report }, expanded);
  });
}

const none: ReadonlySet<string> = new Set();

/** Fields that belong to a choice whose value is wrong: their own values can be judged only once it is right. */
function unclearFields({ object: { kind }, input }: ExpandedObject): ReadonlySet<string> {
  const misspelt = (kind.variants ?? []).filter(({ by }) => {
    const [values, chosen] = typeof by === "string" ? [kind.fields[by]?.values, input[by]] : [];
    return values !== undefined && typeof chosen === "string" && !values.includes(chosen);
  });
  return misspelt.length === 0
    ? none
    : new Set(misspelt.flatMap(({ by, owns }) => [by, ...Object.values(owns)].flat(2)));
}

function reportBroken(
  { rule, findings }: { readonly rule: Rule; readonly findings: readonly RuleFinding[] },
  expanded: ExpandedObject,
  { report, live }: { readonly report: Report; readonly live: boolean },
): void {
  const unclear = unclearFields(expanded);
  const source =
    rule.origin === "documented"
      ? `the service's API documents, part ${rule.section.replace(" ", ", ")}`
      : "loadform's reading of the service's API documents";
  const clear = findings
    .filter(({ path }) => !unclear.has(String(path[0])))
    .map((found) => ({ ...found, detail: `${found.detail} (${source})` }));
  const isDecision = rule.origin === "decision";
  const severity = isDecision && live ? "warning" : "error";
  reportFindings(clear, { severity, code: isDecision ? "LF1202" : "LF1201", report }, expanded);
}

function reportFindings(
  findings: readonly RuleFinding[],
  { severity, code, report }: Pick<Diagnostic, "severity" | "code"> & { readonly report: Report },
  { object, secrets }: ExpandedObject,
): void {
  if (findings.length === 0) return;
  const shown = (words: string) => (secrets.size === 0 ? words : withoutQuoted(words, [...secrets.values()].flat()));
  for (const { path, summary, detail, suggestion } of findings) {
    const isOfKey = path.length === 0 || suggestion?.found === path.at(-1);
    report({
      ...{ severity, code, address: object.address, ...(suggestion && { suggestion }) },
      ...{ summary: shown(summary), detail: shown(detail) },
      place: { path: [...pathOf(object), ...path], at: isOfKey ? "key" : "value" },
    });
  }
}

/** Names are the identity of some kinds at the service: a second object of the name would overwrite the first. */
function reportTakenNames(all: readonly DeclaredObject[], nodes: ReadonlyMap<string, TreeNode>, report: Report): void {
  const taken = new Map<string, string>();
  for (const object of all) {
    const node = nodes.get(object.address);
    if (node === undefined || object.kind.naturalKey === undefined) continue;
    const identity = `${nameScope(object.kind, node)} ${nodeName(node)}`;
    const first = taken.get(identity);
    if (first === undefined) {
      taken.set(identity, object.address);
      continue;
    }
    const name = node.sensitive?.includes("name") ? sensitiveText : nodeName(node);
    const detail = `${first} is called "${name}", too. The service would treat both as one ${object.kind.name}: give one of them another name`;
    const place = { path: [...pathOf(object), "name"], at: "value" } as const;
    report({ ...errorOf("LF1201", `the name ${name} is taken`, detail), address: object.address, place });
  }
}

function nameScope({ name, naturalKey }: AnyKind, node: TreeNode): string {
  if (naturalKey === "parent") return `${name} ${node.parent ?? ""}`;
  const key = typeof naturalKey === "object" ? node.fields[naturalKey.within] : undefined;
  return `${name} ${key === undefined ? "" : canonicalJson(key)}`;
}
