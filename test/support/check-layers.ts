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
  if (target.startsWith("../gen/")) return room === "config" || room === "cdktf" || room === "terraform";
  if (roomOf(target) === room) return true;
  const layer = layers[room];
  const allowed = [
    ...(layer?.values ?? []),
    ...(layer?.exceptions?.[path] ?? []),
    ...(edge.isTypeOnly ? (layer?.types ?? []) : []),
  ];
  return allowed.includes(roomOf(target)) || allowed.includes(target);
}

/** Every import cycle among files, each as the path that closes it. */
export function findCycles(sources: readonly SourceFile[]): string[] {
  const edges = new Map(sources.map((source) => [source.path, valueTargets(source)]));
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

function valueTargets(source: SourceFile): readonly string[] {
  return source.imports.flatMap((edge) => (edge.isTypeOnly || edge.target === undefined ? [] : [edge.target]));
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
