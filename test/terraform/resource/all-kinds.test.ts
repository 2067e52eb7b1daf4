import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isObject, type Json, type JsonObject } from "../../../src/model/json.ts";
import { kindsSchema } from "../../../src/terraform/kinds-schema.ts";
import { resourceType } from "../../../src/terraform-schema/names.ts";
import { check } from "../../support/deep.ts";
import { randomProject, type Wish } from "../../support/random-project.ts";
import { toConfig } from "../../support/terraform/random-config.ts";
import { type Config, type Kept, SessionCore } from "../../support/terraform/session-core.ts";

const { resources } = kindsSchema();

/** One object that was made, with what it was made of. */
interface Made {
  readonly wish: Wish;
  readonly parent: Made | undefined;
  readonly config: Config;
  kept: Kept;
}

/** Makes what is wished, with the checks of the core, and looks that a second plan changes nothing. */
async function make(core: SessionCore, wishes: readonly Wish[]): Promise<readonly Made[]> {
  const made: Made[] = [];
  const add = async (wish: Wish, parent: Made | undefined): Promise<void> => {
    const config = configOf(wish, wish.fields, { made, parent });
    const kept = await settled(core, config, await core.create(resourceType(wish.kind), config));
    const own: Made = { wish, parent, config, kept };
    made.push(own);
    for (const child of wish.below) await add(child, own);
  };
  for (const wish of wishes) await add(wish, undefined);
  return made;
}

function configOf(
  wish: Wish,
  fields: JsonObject,
  { made, parent }: { readonly made: readonly Made[]; readonly parent: Made | undefined },
): Config {
  const resource = resources.get(resourceType(wish.kind))!;
  const idOf = (reference: Json): string | null => {
    if (isObject(reference) && typeof reference["id"] === "number") return String(reference["id"]);
    const address = isObject(reference) ? String(reference["ref"]) : "";
    const [kind = "", key = ""] = (address.split("/").at(-1) ?? "").split(".");
    const exact = made.filter((each) => each.wish.kind === kind && each.wish.key === key).at(-1);
    const any = exact ?? made.filter((each) => each.wish.kind === kind).at(-1);
    return String(any?.kept.value["id"]);
  };
  const config = toConfig(resource, fields, idOf);
  const above = resource.attributes.find(({ source }) => source.is === "parent");
  return above === undefined ? config : { ...config, [above.name]: parent?.kept.value["id"] ?? null };
}

/** What was applied is what is read, and a plan of it changes nothing. */
async function settled(core: SessionCore, config: Config, kept: Kept): Promise<Kept> {
  const read = await core.refresh(kept);
  expect(read?.value, kept.type).toEqual(kept.value);
  const plan = await core.plan(kept.type, config, kept);
  expect(plan.planned, kept.type).toEqual(plan.prior);
  return read!;
}

/** Imported by its id, with the configuration that Terraform generates, nothing changes. */
async function importsUnchanged(core: SessionCore, { kept }: Made): Promise<void> {
  const imported = await core.import(kept.type, String(kept.value["id"]));
  const plan = await core.plan(kept.type, core.generatedConfig(imported), imported);
  expect(plan.planned, `import of ${kept.type}`).toEqual(plan.prior);
}

/** A tag without a carrier is pending again, everything else is gone. */
async function areGone(core: SessionCore, made: readonly Made[]): Promise<void> {
  for (const { kept, wish } of made) if (wish.kind !== "tag") expect(await core.refresh(kept)).toBeUndefined();
}

/** Changes what was made to what others wish for the same kind and key. */
async function changeAll(core: SessionCore, made: readonly Made[], others: readonly Wish[]): Promise<void> {
  const next = flat(others);
  for (const each of made) {
    const other = next.find(({ kind, key }) => kind === each.wish.kind && key === each.wish.key);
    if (other === undefined || each.wish.kind === "tag") continue;
    const config = configOf(each.wish, inGrid(each.wish, other, made), { made, parent: each.parent });
    const plan = await core.plan(each.kept.type, config, each.kept);
    // A parent that is replaced takes what is below it along.
    if (plan.replace.length === 0) each.kept = await settled(core, config, await core.apply(plan));
  }
}

/** The fields of another wish; a region remains in its grid where the provider that is wished has become no grid here. */
function inGrid({ kind, fields }: Wish, other: Wish, made: readonly Made[]): JsonObject {
  const wished = other.fields["provider"];
  if (kind !== "region" || !isObject(wished)) return other.fields;
  const provider = made.find(({ wish }) => `provider.${wish.key}` === wished["ref"] && wish.kind === "provider");
  return provider?.wish.fields["providerType"] === "Shared"
    ? other.fields
    : { ...other.fields, provider: fields["provider"] ?? null };
}

function flat(all: readonly Wish[]): readonly Wish[] {
  return all.flatMap((each) => [each, ...flat(each.below)]);
}

const pending = ({ kept }: Made) => kept.value["id"] === null;

describe("random configurations of all ten kinds", () => {
  it("are created as planned, read as applied, planned without change, imported without change, and destroyed", async () => {
    await check(
      "create, read, import, destroy",
      fc.asyncProperty(randomProject, async (wishes) => {
        const core = await SessionCore.open();
        const made = await make(core, wishes);
        for (const each of made.filter((one) => !pending(one))) await importsUnchanged(core, each);
        for (const each of [...made].reverse()) await core.destroy(each.kept);
        await areGone(core, made);
      }),
      { few: 8, deep: 2_000 },
    );
  });

  it("are changed to other random configurations as planned, and read as applied", async () => {
    await check(
      "update",
      fc.asyncProperty(randomProject, randomProject, async (wishes, others) => {
        const core = await SessionCore.open();
        await changeAll(core, await make(core, wishes), others);
      }),
      { few: 8, deep: 2_000 },
    );
  });
});
