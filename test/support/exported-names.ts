const lists = /^export\s+(type\s+)?\{([^}]*)\}/gm;
const declarations = /^export\s+(?:declare\s+|async\s+|abstract\s+)*(function\*?|const|class|interface|type)\s+(\w+)/gm;

/** The names that a module exports, sorted; types are marked. `export *` has no names and is refused. */
export function exportedNames(text: string): readonly string[] {
  if (/^export\s+\*/m.test(text))
    throw new Error("found `export *`; expected every exported name to stand in the file");
  const listed = [...text.matchAll(lists)].flatMap(([, isType, names]) => namesIn(names ?? "", isType !== undefined));
  const declared = [...text.matchAll(declarations)].map(([, word, name]) =>
    word === "interface" || word === "type" ? `type ${name}` : String(name),
  );
  return [...listed, ...declared].sort();
}

function namesIn(list: string, areTypes: boolean): readonly string[] {
  const entries = list.split(",").map((entry) => entry.trim());
  return entries.flatMap((entry) => {
    if (entry === "") return [];
    const name = entry.replace(/^type\s+/, "").replace(/^.*\sas\s+/, "");
    return [areTypes || entry.startsWith("type ") ? `type ${name}` : name];
  });
}
