import { pathOfAddress } from "../config/declared-object.ts";
import type { YamlEditor } from "../config/yaml-editor.ts";
import { NotWritable } from "../config/yaml-places.ts";
import { kinds } from "../kinds/index.ts";
import type { Json } from "../model/json.ts";
import { isObject } from "../model/json.ts";
import type { Written } from "../model/written.ts";
import { writtenPlain } from "../model/written.ts";
import type { AcceptSources } from "./accept-sources.ts";
import type { WrittenField } from "./accept-writes.ts";

/**
 * Writes out in an object what it had from another one, through an anchor or a merge key, so that it keeps that when the
 * other one changes. `shared` holds fields as `address field`; answers where they stand now.
 */
export function keepShared(
  shared: Iterable<string>,
  editorOf: (file: string) => YamlEditor,
  sources: AcceptSources,
): readonly WrittenField[] {
  return [...shared].flatMap((each): readonly WrittenField[] => {
    const [address = "", field = ""] = each.split(" ", 2);
    const object = sources.objects.get(address);
    const [file] = sources.filesOf(address);
    const path = pathOfAddress(address, kinds);
    const raw = object?.input[field];
    // A value that is made of others cannot be written out; the proof will say that it would change.
    if (object === undefined || file === undefined || path === undefined || isMade(raw)) return [];
    try {
      editorOf(file).write({
        path,
        field,
        next: written(raw ?? null),
        order: Object.keys(object.kind.fields),
        whole: true,
        mayDrop: false,
        isDefaulted: false,
        context: { file, kinds, address },
      });
      return [{ address, field, file }];
    } catch (thrown) {
      if (thrown instanceof NotWritable) return [];
      throw thrown;
    }
  });
}

function isMade(raw: Json | undefined): boolean {
  return raw !== undefined && /\$\{(?:env|var|file):|\$\$\{/.test(JSON.stringify(raw));
}

function written(value: Json): Written {
  if (Array.isArray(value)) return { is: "list", items: value.map((item: Json) => written(item)) };
  if (!isObject(value)) return writtenPlain(value as string | number | boolean | null);
  return { is: "map", members: Object.entries(value).map(([name, member]) => ({ name, value: written(member) })) };
}
