import type { Written, WrittenObject } from "../../src/model/written.ts";

/** An object as an author is given it. */
export function writtenObject(
  address: string,
  members: Readonly<Record<string, Written>>,
  children: readonly WrittenObject[] = [],
) {
  const at = address.lastIndexOf("/");
  const [kind = "", key = ""] = address.slice(at + 1).split(/\.(.*)/s);
  const written: WrittenObject = {
    kind,
    key,
    address,
    ...(at > 0 && { parent: address.slice(0, at) }),
    members: Object.entries(members).map(([name, value]) => ({ name, value })),
    notes: [],
    children,
  };
  return written;
}
