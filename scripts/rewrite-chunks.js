import { parseAst } from "rolldown/parseAst";

/**
 * A chunk as a script, and the module that runs it in the chunk's place: compiled code of a script can be stored, that of an
 * ES module only from Node 22 on. `runner` is the chunk that has runScript (src/cli/code-cache.ts), and under which name.
 * What it exports has the value of the moment when it was loaded; Node's own modules are asked for without an ES facade.
 */
export function scriptChunk({ fileName, code }, { runner, chunks }) {
  const { body } = parseAst(code);
  const imports = body.filter(({ type }) => type === "ImportDeclaration");
  const exported = body.filter(({ type }) => type.startsWith("Export"));
  if (exported.some(({ type, declaration }) => type !== "ExportNamedDeclaration" || declaration))
    throw new Error(
      `found an export other than \`export { … }\` in ${fileName}; expected none: see scripts/rewrite-chunks.js`,
    );
  const names = exported.flatMap(({ specifiers }) =>
    specifiers.map((each) => [each.local.name, nameOf(each.exported)]),
  );
  const own = requiredParts(chunks, { fileName, names });
  const edits = [...[...imports, ...exported].map(({ start, end }) => [start, end, ""]), ...expressionsOf(body, own)];
  const taken = imports.flatMap(({ specifiers, source }, index) =>
    specifiers.map((each) =>
      isLazy(source.value)
        ? lazyOf(each, source.value)
        : takenOf(each, { from: `from${index}$`, isBuiltin: isBuiltin(source.value) }),
    ),
  );
  const parameters = ["load$", "meta$", ...imports.map((_, index) => `from${index}$`)];
  const answer = names.map(([local, name]) => `${JSON.stringify(name)}:${local}`);
  const script = `(function(${parameters}){"use strict";${taken.join("")}${edited(code, edits)};return{${answer}}})`;
  const scriptName = fileName.replace(/\.js$/, ".script");
  return [
    { fileName, code: facade({ scriptName, imports, names, runner }) },
    { fileName: scriptName, code: script },
  ];
}

/** A chunk that asks for Node's own modules itself: the ES facade of one has every part of it loaded that it would load late. */
export function withoutFacades({ code, ...chunk }) {
  const imports = parseAst(code).body.filter(
    ({ type, source }) => type === "ImportDeclaration" && isBuiltin(source.value),
  );
  const edits = imports.map(({ start, end, specifiers, source }) => {
    const from = `process.getBuiltinModule(${JSON.stringify(source.value)})`;
    return [start, end, specifiers.map((each) => takenOf(each, { from, isBuiltin: true })).join("")];
  });
  return { ...chunk, code: edited(code, edits) };
}

/** What an import takes, as a constant; Node's modules are their own default. */
function takenOf({ type, imported, local }, { from, isBuiltin }) {
  const name = type === "ImportSpecifier" ? nameOf(imported) : "default";
  const isWhole = type === "ImportNamespaceSpecifier" || (name === "default" && isBuiltin);
  return `const ${local.name}=${from}${isWhole ? "" : `[${JSON.stringify(name)}]`};`;
}

/** Node's modules that few commands call: only functions are taken from them, and each loads its module when it is called. */
const lazyModules = ["node:zlib"];

function isLazy(source) {
  return lazyModules.includes(source);
}

function lazyOf({ type, imported, local }, source) {
  if (type !== "ImportSpecifier")
    throw new Error(`found an import of the whole of ${source}; expected names: see scripts/rewrite-chunks.js`);
  const name = nameOf(imported);
  return `const ${local.name}=(...given)=>process.getBuiltinModule(${JSON.stringify(source)}).${name}(...given);`;
}

function isBuiltin(source) {
  return source.startsWith("node:");
}

function nameOf(node) {
  return node.name ?? node.value;
}

function facade({ scriptName, imports, names, runner }) {
  const sources = imports.map(({ source }) => source.value);
  const given = sources.map((source, index) => {
    if (isLazy(source)) return "undefined";
    return isBuiltin(source) ? `process.getBuiltinModule(${JSON.stringify(source)})` : `from${index}$`;
  });
  const modules = sources.flatMap((source, index) =>
    isBuiltin(source) ? [] : `import*as from${index}$ from${JSON.stringify(source)};`,
  );
  const file = `new URL("./${scriptName.split("/").at(-1)}",import.meta.url)`;
  return [
    `import{${runner.name} as run$}from${JSON.stringify(runner.source)};${modules.join("")}`,
    `const made$=run$(${file},[(file)=>import(file),import.meta,${given}]);`,
    ...names.map(([, name], index) => `const e${index}$=made$[${JSON.stringify(name)}];`),
    `export{${names.map(([, name], index) => `e${index}$ as ${name}`)}};`,
  ].join("\n");
}

/** Chunks that only give a CommonJS module of this one, as what is to be called for it: asked for by import(), they need no file. */
function requiredParts(chunks, { fileName, names }) {
  const locals = new Map(names.map(([local, name]) => [name, local]));
  const self = fileName.split("/").at(-1).replaceAll(".", "\\.");
  const form = new RegExp(
    `^import\\{([\\w$]+) as e\\}from"\\./${self}";export default e\\(\\);(?:export\\{\\};)?\\s*$`,
  );
  return new Map(
    chunks.flatMap((chunk) => {
      const [, name] = form.exec(chunk.code) ?? [];
      return locals.has(name) ? [[`./${chunk.fileName.split("/").at(-1)}`, locals.get(name)]] : [];
    }),
  );
}

/** `import(…)` and `import.meta`, which a script does not have, as calls and mentions of what it is given. */
function expressionsOf(node, parts) {
  if (Array.isArray(node)) return node.flatMap((each) => expressionsOf(each, parts));
  if (typeof node !== "object" || node === null) return [];
  if (node.type === "MetaProperty" && node.meta.name === "import") return [[node.start, node.end, "meta$"]];
  if (node.type !== "ImportExpression") return Object.values(node).flatMap((each) => expressionsOf(each, parts));
  const part = parts.get(node.source.value ?? node.source.quasis?.[0]?.value.cooked);
  if (part !== undefined) return [[node.start, node.end, `Promise.resolve().then(()=>({default:${part}()}))`]];
  return [[node.start, node.start + "import".length, "load$"], ...expressionsOf(node.source, parts)];
}

/** Without the chunks that only hand on exports of another one under the same names, which is then asked for itself. */
export function withoutRelays(chunks) {
  const relayed = chunks.flatMap(({ fileName, code, isEntry }) => {
    const [, target] = isEntry ? [] : (/^export\{[\w$,]+\}from"\.\/([^"]+)";\s*$/.exec(code) ?? []);
    return target ? [[fileName.split("/").at(-1), target]] : [];
  });
  const names = new Set(relayed.map(([name]) => name));
  return chunks
    .filter(({ fileName }) => !names.has(fileName.split("/").at(-1)))
    .map((chunk) => ({ ...chunk, code: relayed.reduce((text, [from, to]) => text.replaceAll(from, to), chunk.code) }));
}

function edited(code, edits) {
  let [text, at] = ["", 0];
  for (const [start, end, instead] of edits.toSorted(([left], [right]) => left - right)) {
    text += code.slice(at, start) + instead;
    at = end;
  }
  return text + code.slice(at);
}
