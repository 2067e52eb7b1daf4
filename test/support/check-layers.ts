import type { Layer } from "./layer-table.ts";
import type { ImportEdge, SourceFile } from "./source-files.ts";

/** The room of a path below src: its folder, or the file itself when it lies directly under src. */
export function roomOf(path: string): string {
  return path.split("/")[0] ?? path;
}

/** Imports that the table does not allow, one sentence each. */
export function forbiddenImports(sources: readonly SourceFile[], layers: Readonly<Record<string, Layer>>): string[] {
  return sources.flatMap((source) =>
    source.imports
      .filter((edge) => edge.target !== undefined && !isAllowed(source.path, edge, layers))
      .map((edge) => `${source.path} imports ${edge.isTypeOnly ? "type " : ""}${edge.target}`),
  );
}

function isAllowed(path: string, edge: ImportEdge, layers: Readonly<Record<string, Layer>>): boolean {
  const target = edge.target ?? "";
  const room = roomOf(path);
  if (target.startsWith("../gen/")) return ["config", "constructs", "index.ts", "service", "terraform"].includes(room);
  if (roomOf(target) === room) return true;
  const layer = layers[room];
  const allowed = [
    ...(layer?.values ?? []),
    ...(layer?.exceptions?.[path] ?? []),
    ...(edge.isTypeOnly ? (layer?.types ?? []) : []),
  ];
  return allowed.includes(roomOf(target)) || allowed.includes(target);
}

/** The files of one room with the imports that remain in it, as if its folder were the whole house. */
export function within(room: string, sources: readonly SourceFile[]): readonly SourceFile[] {
  const inside = (path: string) => path.startsWith(`${room}/`);
  const bare = (path: string) => path.slice(room.length + 1);
  return sources
    .filter(({ path }) => inside(path))
    .map((source) => ({
      ...source,
      path: bare(source.path),
      imports: source.imports.flatMap((edge) =>
        edge.target !== undefined && inside(edge.target) ? [{ ...edge, target: bare(edge.target) }] : [],
      ),
    }));
}

/** Every import cycle among files, each as the path that closes it; `types` counts imports of types too. */
export function findCycles(sources: readonly SourceFile[], { types = false } = {}): string[] {
  const edges = new Map(sources.map((source) => [source.path, targetsOf(source, types)]));
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) cycles.push([...trail.slice(start), path].join(" -> "));
    if (start >= 0 || done.has(path)) return;
    for (const target of edges.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of edges.keys()) visit(path, []);
  return cycles;
}

function targetsOf(source: SourceFile, types: boolean): readonly string[] {
  const counted = source.imports.filter((edge) => types || !edge.isTypeOnly);
  return counted.flatMap(({ target }) => (target === undefined || target === source.path ? [] : [target]));
}

/** Cycles among rooms, types included: the rooms must form one direction. */
export function findRoomCycles(sources: readonly SourceFile[]): string[] {
  const byRoom = new Map<string, ImportEdge[]>();
  for (const source of sources) {
    const room = roomOf(source.path);
    const targets = source.imports.filter((edge) => edge.target !== undefined && roomOf(edge.target) !== room);
    const edges = targets.map((edge) => ({ ...edge, target: roomOf(edge.target ?? ""), isTypeOnly: false }));
    byRoom.set(room, [...(byRoom.get(room) ?? []), ...edges]);
  }
  return findCycles([...byRoom].map(([path, imports]) => ({ path, text: "", imports })));
}
