// engine: it asks a provider over a socket.
import { tmpdir } from "node:os";
import { ChannelCredentials } from "@grpc/grpc-js";
import { afterEach, describe, expect, it } from "vitest";
import { ProviderService } from "../../../gen/tfplugin6.js";
import { type HostedProvider, hostProvider } from "../../../src/terraform/plugin/host-provider.ts";
import type { Provider, ProviderSession } from "../../../src/terraform/provider-session.ts";
import { UNKNOWN, valueMap } from "../../../src/terraform/wire/values.ts";
import { CoreError, FakeCore } from "../../support/terraform/fake-core.ts";
import { toyProvider, toySchema } from "../../support/terraform/toy-provider.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0).reverse()) close();
});

async function host(provider: Provider): Promise<() => FakeCore> {
  const hosted: HostedProvider = await hostProvider(provider, { temporary: tmpdir() });
  closing.push(hosted.close);
  const own = JSON.parse(hosted.reattach)["loadform/loadform"];
  return () => {
    const to = { target: `unix:${own.Addr.String}`, credentials: ChannelCredentials.createInsecure() };
    const core = new FakeCore(to, toySchema);
    closing.push(() => core.close());
    return core;
  };
}

/** The toy with some of its methods replaced. */
async function hostWith(more: Partial<ProviderSession>): Promise<FakeCore> {
  const toy = toyProvider();
  const connect = await host({ ...toy, openSession: async () => ({ ...(await toy.openSession()), ...more }) });
  return connect();
}

const toy = async (note?: (line: string) => void) => (await host(toyProvider(note)))();

describe("the life of a resource", () => {
  it("create, an empty second plan, update, replacement, destroy", async () => {
    const notes: string[] = [];
    const core = await toy((line) => notes.push(line));
    await core.configure({ flavour: "plum" });
    const written = { name: "a", size: 10n ** 30n, labels: valueMap([["__proto__", "x"]]), parts: [{ weight: 0.1 }] };
    const state = await core.create("loadform_toy", { ...written, secret_wo: "s3cret" });
    expect(state.value).toMatchObject({ flavour: "plum", secret_wo: null, parts: [{ weight: 0.1, serial: "part 0" }] });
    expect(String(state.private)).toBe("applied");
    expect(await core.isUnchanged("loadform_toy", { ...written, secret_wo: "another" }, state)).toBe(true);
    const updated = await core.create("loadform_toy", { ...written, size: 2 }, state);
    expect(updated.value).toMatchObject({ size: 2, id: (state.value as { id: string }).id });
    const plan = await core.plan("loadform_toy", { ...written, name: "b" }, updated);
    expect(plan.replace).toEqual(["name"]);
    const replaced = await core.apply(plan);
    expect(replaced.value).not.toMatchObject({ id: (state.value as { id: string }).id });
    await core.destroy(replaced);
    expect(notes).toContain("applied a s3cret");
  });

  it("an import is read, a data source too", async () => {
    const core = await toy();
    expect((await core.import("loadform_toy", "7")).value).toMatchObject({ id: "7", size: null });
    expect(await core.readData("loadform_echo", { say: "hello" })).toMatchObject({ heard: "hello" });
    expect(await core.readData("loadform_echo", { say: UNKNOWN }).catch(String)).toMatchObject({ heard: UNKNOWN });
  });
});

describe("sessions", () => {
  it("each connection has one of its own, as each alias of a provider has a connection", async () => {
    const connect = await host(toyProvider());
    const [plum, fig] = [connect(), connect()];
    await plum.configure({ flavour: "plum" });
    await fig.configure({ flavour: "fig" });
    const states = await Promise.all([plum, fig].map((core) => core.create("loadform_toy", { name: "a" })));
    expect(states.map(({ value }) => value)).toMatchObject([{ flavour: "plum" }, { flavour: "fig" }]);
  });

  it("StopProvider ends what a running apply waits for, and its state is saved", async () => {
    const notes: string[] = [];
    const core = await toy((line) => notes.push(line));
    const applied = core.create("loadform_toy", { name: "waits" }).catch((error) => error);
    await expect.poll(() => notes).toContain("waiting");
    expect(await core.ask(ProviderService.stopProvider, {})).toEqual({ error: "" });
    expect(await applied).toMatchObject({ message: expect.stringContaining("it was interrupted") });
  });

  it("a connection that is closed stops its session", async () => {
    const notes: string[] = [];
    const core = await toy((line) => notes.push(line));
    await core.configure();
    core.close();
    await expect.poll(() => notes).toContain("stopped");
  });
});

describe("problems", () => {
  it("what is thrown is a diagnostic, and without a new state Terraform keeps the prior one", async () => {
    const core = await toy();
    const failed = await core.create("loadform_toy", { name: "throws" }).catch((error) => error);
    expect(failed).toBeInstanceOf(CoreError);
    expect(failed.diagnostics).toMatchObject([
      { severity: 1, summary: "The loadform provider failed", detail: "the toy broke" },
    ]);
  });

  it("a session that cannot be opened is one too", async () => {
    const openSession = () => Promise.reject(new Error("no parts"));
    const core = (await host({ ...toyProvider(), openSession }))();
    await expect(core.configure()).rejects.toThrow("no parts");
  });

  it("a state that breaks the schema is one too", async () => {
    const core = await hostWith({
      planResource: async () => ({
        planned: valueMap([["id", "7"]]),
        requiresReplace: [],
        private: Buffer.of(),
        diagnostics: [],
      }),
    });
    await expect(core.create("loadform_toy", { name: "a" })).rejects.toThrow("without [name,size");
  });

  it("a path ends after its first step, where Terraform points at the right line; all of it is in the text", async () => {
    const core = await toy();
    const failed = await core
      .validate("loadform_toy", { name: "a", parts: [{ weight: 1 }, { weight: 13 }] })
      .catch((error) => error);
    const [diagnostic] = failed.diagnostics;
    expect(diagnostic.attribute.steps).toEqual([{ selector: { $case: "attributeName", attributeName: "parts" } }]);
    expect(diagnostic.detail).toBe("parts[1].weight: no weight is 13");
  });

  it("an unknown type names itself", async () => {
    const core = await toy();
    const request = { typeName: "loadform_none", config: undefined, clientCapabilities: undefined };
    await expect(core.ask(ProviderService.validateResourceConfig, request)).resolves.toMatchObject({
      diagnostics: [{ detail: "the provider has no resource loadform_none in its schema" }],
    });
  });
});

describe("paths that need a new object", () => {
  it("an index 0 and a key of a map are written as what they are", async () => {
    const core = await hostWith({
      planResource: async ({ proposed }) => ({
        planned: proposed,
        requiresReplace: [
          ["parts", 0, "weight"],
          ["labels", "a"],
        ],
        private: Buffer.of(),
        diagnostics: [],
      }),
    });
    const { msgpack, json } = { msgpack: Buffer.from([0xc0]), json: Buffer.of() };
    const nil = { msgpack, json };
    const answer = await core.ask(ProviderService.planResourceChange, {
      typeName: "loadform_toy",
      priorState: nil,
      proposedNewState: nil,
      config: nil,
      priorPrivate: Buffer.of(),
      clientCapabilities: undefined,
    });
    expect(answer.requiresReplace.map(({ steps }) => steps.map(({ selector }) => selector))).toEqual([
      [
        { $case: "attributeName", attributeName: "parts" },
        { $case: "elementKeyInt", elementKeyInt: 0 },
        { $case: "attributeName", attributeName: "weight" },
      ],
      [
        { $case: "attributeName", attributeName: "labels" },
        { $case: "elementKeyString", elementKeyString: "a" },
      ],
    ]);
  });
});

describe("what the provider says of itself", () => {
  it("its schema, with attributes that hold objects", async () => {
    const core = await toy();
    const { provider, resourceSchemas, serverCapabilities } = await core.ask(ProviderService.getProviderSchema, {});
    expect(serverCapabilities).toEqual({
      planDestroy: false,
      getProviderSchemaOptional: true,
      moveResourceState: false,
    });
    expect(provider?.block?.attributes).toMatchObject([{ name: "flavour", optional: true }]);
    const attributes = resourceSchemas["loadform_toy"]?.block?.attributes ?? [];
    const find = (wanted: string) => attributes.find(({ name }) => name === wanted);
    expect(String(find("labels")?.type)).toBe('["map","string"]');
    expect(find("secret_wo")).toMatchObject({ writeOnly: true, nestedType: undefined });
    expect(find("parts")).toMatchObject({
      nestedType: { nesting: 2, attributes: [{ name: "weight" }, { computed: true }] },
    });
    expect(find("parts")?.type).toHaveLength(0);
  });

  it("its types, and that it has no functions", async () => {
    const core = await toy();
    expect(await core.ask(ProviderService.getMetadata, {})).toMatchObject({
      resources: [{ typeName: "loadform_toy" }],
      dataSources: [{ typeName: "loadform_echo" }],
    });
    expect(await core.ask(ProviderService.getFunctions, {})).toEqual({ diagnostics: [] });
  });

  it.each(["GetResourceIdentitySchemas", "MoveResourceState", "CallFunction", "OpenEphemeralResource", "ListResource"])(
    "%s is not implemented, which clients read as none",
    async (name) => {
      const core = await toy();
      const method = { ...ProviderService.getFunctions, path: `/tfplugin6.Provider/${name}` };
      await expect(core.ask(method, {})).rejects.toMatchObject({ code: 12 });
    },
  );

  it("answers messages of more than 4 MB", async () => {
    const core = await toy();
    const say = "é".repeat(2_200_000);
    expect(await core.readData("loadform_echo", { say })).toMatchObject({ heard: say });
  });

  it("leaves the JSON of a state as it is", async () => {
    const core = await toy();
    const rawState = { json: Buffer.from('{"size":1234567890123456789012345678901234567890.5}') };
    const answer = await core.ask(ProviderService.upgradeResourceState, {
      typeName: "loadform_toy",
      version: 0,
      rawState,
    });
    expect(answer.upgradedState?.json).toEqual(rawState.json);
  });
});
