import type { RouteKey } from "../api/routes.ts";
import { routes } from "../api/routes.ts";
import type { ShapeName } from "../api/shapes.ts";
import { shapes, volatileMembers } from "../api/shapes.ts";

/**
 * The text of an answer without what changes by itself in it; undefined where nothing of it does. Equal texts are answers of which a
 * plan makes the same.
 */
export function stableText(route: RouteKey, answer: unknown): string | undefined {
  const { answer: described } = routes[route];
  const shape = typeof described === "string" ? shapeOf(described) : undefined;
  const hidden: Hidden[] = [];
  if (shape !== undefined) hide(answer, shape, hidden);
  if (hidden.length === 0) return undefined;
  const text = JSON.stringify(answer);
  for (const { holder, member, value } of hidden) holder[member] = value;
  return text;
}

type Holder = Record<string, unknown>;

/** A member that is taken out while the text is made. */
interface Hidden {
  readonly holder: Holder;
  readonly member: string;
  readonly value: unknown;
}

function hide(value: unknown, shape: ShapeName, hidden: Hidden[]): void {
  if (Array.isArray(value)) {
    for (const item of value) hide(item, shape, hidden);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  const holder = value as Holder;
  for (const member of volatileIn(holder, shape))
    if (holder[member] !== undefined) {
      hidden.push({ holder, member, value: holder[member] });
      holder[member] = undefined;
    }
  for (const [member, below] of belowOf(shape)) if (holder[member] !== undefined) hide(holder[member], below, hidden);
}

function volatileIn(holder: Holder, shape: ShapeName): readonly string[] {
  const { members, unless } = volatileMembers[shape] ?? { members: [] };
  return unless !== undefined && holder[unless.member] === unless.is ? [] : members;
}

const known = new Map<ShapeName, readonly (readonly [string, ShapeName])[]>();

/** Members that hold objects of a shape. */
function belowOf(shape: ShapeName): readonly (readonly [string, ShapeName])[] {
  const found =
    known.get(shape) ??
    Object.entries(shapes[shape]).flatMap(([member, described]) => {
      const below = shapeOf(described);
      return below === undefined ? [] : [[member, below] as const];
    });
  known.set(shape, found);
  return found;
}

function shapeOf(described: string): ShapeName | undefined {
  const name = /^@(\w+)/.exec(described)?.[1];
  return name !== undefined && Object.hasOwn(shapes, name) ? (name as ShapeName) : undefined;
}
