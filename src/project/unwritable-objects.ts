import { parseYaml } from "../config/parse-yaml.ts";
import { writeYaml } from "../config/write-yaml.ts";
import { kinds } from "../kinds/index.ts";
import type { WrittenObject } from "../model/written.ts";

/** An object whose lines cannot be read back, and how the reader puts it. */
export interface Unwritable {
  readonly object: WrittenObject;
  readonly why: string;
}

/** The objects to blame for a file of ours that cannot be read back: as far below as it lies with one alone. */
export function unwritableObjects(objects: readonly WrittenObject[]): readonly Unwritable[] {
  return objects.flatMap((object) => {
    const why = problemOf(object);
    if (why === undefined) return [];
    const isBelow = problemOf({ ...object, children: [] }) === undefined;
    const below = isBelow ? unwritableObjects(object.children) : [];
    return below.length > 0 ? below : [{ object, why }];
  });
}

function problemOf(object: WrittenObject): string | undefined {
  const file = "load/object.yaml";
  const [first] = parseYaml(writeYaml([object], { file, kinds }), file).diagnostics;
  return first && `${first.summary}: ${first.detail}`;
}
