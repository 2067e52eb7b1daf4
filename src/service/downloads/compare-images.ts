import type { PNG } from "pngjs";
import type { Scope } from "../core/scope.ts";
import type { RunFileRecord } from "../store/records/executions.ts";
import type { DataStoreRecord } from "../store/records/scenarios.ts";
import { viewDataStore } from "../views/scenario.ts";
import { type FoundDifference, isImage, type OutputFile } from "./output-files.ts";

/** The library that decodes images. */
export type PngLibrary = { readonly PNG: typeof PNG };

/** Loads it; by its default export alone, for a bundle of it has no other. */
export async function loadPngLibrary(): Promise<PngLibrary> {
  const { default: library } = await import("pngjs");
  return library;
}

const notCompared: FoundDifference = { expectDiff: false, diffPercent: null, diffDataStore: null };

/** True for a file that is compared: an image of a configuration with an `imageDiffMode`. */
export function isCompared(output: OutputFile, scope: Scope): boolean {
  return isImage(output) && modeOf(output, scope) !== "None";
}

/**
 * API 1, Test configuration, imageDiffMode. DECISION (API 2, Output file: diffPercent): the share of pixels that differ, in
 * percent; 100 where the sizes differ; null where there is nothing to compare with, or one of both is no PNG of at most 25
 * million pixels. The previous execution is the last one before that completed.
 */
export function compareImage(output: OutputFile, library: PngLibrary | undefined, scope: Scope): FoundDifference {
  if (library === undefined || !isCompared(output, scope)) return notCompared;
  const mode = modeOf(output, scope);
  const baseline = mode === "ScenarioBaseline" ? baselineOf(output, scope) : undefined;
  const other = mode === "ScenarioBaseline" ? baseline : previousOf(output, scope);
  return {
    expectDiff: true,
    diffPercent: other === undefined ? null : diffPercent(output.file.contents, other.contents, library),
    diffDataStore: baseline === undefined ? null : viewDataStore(baseline, { down: false, up: false }, scope),
  };
}

function modeOf({ row }: OutputFile, { store }: Scope): string {
  return store.get("configuration", row.configurationId)?.imageDiffMode ?? "None";
}

function previousOf({ row, file }: OutputFile, { store }: Scope): RunFileRecord | undefined {
  return store
    .where("execution", "configurationId", row.configurationId)
    .filter(({ id, phase }) => id < row.id && phase === "completed")
    .sort((left, right) => right.id - left.id)[0]
    ?.probe?.files.find(({ name }) => name === file.name);
}

function baselineOf({ row, file }: OutputFile, { store }: Scope): DataStoreRecord | undefined {
  const scenario = store.get("configuration", row.configurationId)?.scriptId ?? -1;
  return store.where("dataStore", "scenarioId", scenario).find(({ name }) => name === file.name);
}

/** Both in base64. Three decimals. */
function diffPercent(one: string, other: string, library: PngLibrary): number | null {
  const left = decodePng(one, library);
  const right = one === other ? left : decodePng(other, library);
  if (left === undefined || right === undefined) return null;
  if (left.width !== right.width || left.height !== right.height) return 100;
  const pixels = left.width * left.height;
  let different = 0;
  for (let at = 0; at < left.data.length; at += 4)
    if (left.data.readUInt32BE(at) !== right.data.readUInt32BE(at)) different += 1;
  return pixels === 0 ? 0 : Math.round((different / pixels) * 100_000) / 1000;
}

const mostPixels = 25_000_000;

/** The pixels of a PNG; its size is looked at first, for a few bytes may claim any. */
function decodePng(contents: string, library: PngLibrary): PNG | undefined {
  const bytes = Buffer.from(contents, "base64");
  if (bytes.length < 24 || bytes.readUInt32BE(16) * bytes.readUInt32BE(20) > mostPixels) return undefined;
  const { sync } = library.PNG;
  try {
    return sync.read(bytes);
  } catch {
    return undefined;
  }
}
