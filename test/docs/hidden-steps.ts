import { type Part, partsOf } from "./page-parts.ts";

/**
 * Adds to a page what its readers shall not see. The text has a section for each block that needs something: a line
 * `@ ` and the first line of the block, then hidden commands and marks as they could stand before it on the page. Sections
 * have the order of the page; `@ end of page` is for what follows its last block.
 */
export function withHiddenSteps(parts: readonly Part[], text: string): readonly Part[] {
  const found: Part[] = [...parts];
  let from = 0;
  for (const [opening = "", ...lines] of sectionsOf(text)) {
    if (opening === "end of page") return [...found, ...partsOf(lines.join("\n"))];
    const at = found.findIndex((part, index) => index >= from && part.is === "fence" && firstLine(part) === opening);
    const block = found[at];
    if (block?.is !== "fence") throw new Error(`no block begins with "${opening}", or one before it does`);
    // An empty block at the end takes the marks.
    const added = partsOf([...lines, "```", "```"].join("\n"));
    const last = added.at(-1);
    const marks = new Map([...block.fence.marks, ...(last?.is === "fence" ? last.fence.marks : [])]);
    const steps = added.slice(0, -1).map((part) => ({ ...part, line: block.fence.line }));
    found.splice(at, 1, ...steps, { is: "fence", fence: { ...block.fence, marks } });
    from = at + steps.length + 1;
  }
  return found;
}

function firstLine(part: Part): string {
  return part.is === "fence" ? (part.fence.text.split("\n")[0] ?? "") : "";
}

function sectionsOf(text: string): readonly (readonly string[])[] {
  const sections = text.split(/^@ /m).slice(1);
  return sections.map((section) => section.trimEnd().split("\n"));
}
