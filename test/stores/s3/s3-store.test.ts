import { beforeEach, describe, expect, test, vi } from "vitest";
import { LockLost, StateLocked, StoreFailed } from "../../../src/state/store.ts";
import { type S3StoreOptions, s3Store } from "../../../src/stores/s3/s3-store.ts";
import { awsVariables, bucketName, type S3Server, startS3Server } from "../../support/s3-server.ts";
import { fresh, realHolder, resource, sending } from "../../support/state-samples.ts";

const formerly = { ...process.env };
let server: S3Server;
beforeEach(async () => {
  Object.assign(process.env, awsVariables);
  // The SDK sleeps for a random part of some seconds before it tries again.
  const random = vi.spyOn(Math, "random").mockReturnValue(0);
  server = await startS3Server();
  return async () => {
    random.mockRestore();
    await server.close();
    for (const name of Object.keys(process.env)) if (!(name in formerly)) delete process.env[name];
    Object.assign(process.env, formerly);
  };
});

const key = "p.json";
const storeAt = (more: Partial<S3StoreOptions> = {}) =>
  s3Store({ bucket: bucketName, key, endpoint: server.endpoint, holder: realHolder, ...more });
const take = (more?: Partial<S3StoreOptions>) => storeAt(more).lock({ operation: "apply", timeoutMs: 0 });
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => new Error("it went well"),
    (problem: unknown) => problem as Error,
  );
const lockText = () => server.objects.get(`${key}.lock`)?.text ?? "";
const minute = 60_000;

describe("the lease", () => {
  test("is an object beside the state that says who holds it; given back, it says that nobody does", async () => {
    const session = await take();
    expect(JSON.parse(lockText())).toMatchObject({
      holder: { id: session.info.id, operation: "apply" },
      forMs: minute,
    });
    await session.release();
    expect(JSON.parse(lockText())).toMatchObject({ free: true });
    expect([...server.objects.keys()]).toEqual([`${key}.lock`]);
  });

  test("is left alone until a minute after it expired, by the server's clock, and is broken then", async () => {
    const lost = await take();
    await lost.save(fresh(), []);
    server.aheadMs = 2 * minute - 2_000;
    await expect(take()).rejects.toBeInstanceOf(StateLocked);
    server.aheadMs = 2 * minute + 2_000;
    const session = await take();
    await expect(lost.record([sending("toy.a")])).rejects.toBeInstanceOf(LockLost);
    await lost.release();
    await session.save(session.stored!.state, []);
    await session.release();
  });

  test("is not older because a clock is wrong", async () => {
    server.aheadMs = -60 * minute;
    const session = await take();
    await expect(take()).rejects.toBeInstanceOf(StateLocked);
    await session.release();
  });

  test("is renewed while its holder lives and writes nothing", async () => {
    const session = await take({ lease: { everyMs: 20, forMs: minute, graceMs: minute } });
    const before = lockText();
    await expect.poll(lockText).not.toBe(before);
    await session.save(fresh(), []);
    await session.release();
    const after = lockText();
    const asked = server.asked.length;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect([lockText(), server.asked.length]).toEqual([after, asked]);
  });

  test("that was broken: a write of its holder that is still on its way does not come after its successor's reading", async () => {
    const lost = await take();
    const state = await lost.save(fresh(), []);
    await storeAt().unlock(lost.info.id);
    const before = server.objects.get(key);
    const session = await take();
    expect(server.objects.get(key)?.etag).not.toBe(before?.etag);
    expect(session.stored?.state.serial).toBe(state.serial + 1);
    await session.save(session.stored!.state, []);
    await session.release();
    await lost.release();
    const next = await take();
    expect(next.stored?.state.serial).toBe(state.serial + 2);
    await next.release();
  });

  test("that is damaged is held by somebody unknown, and broken by the id that is told", async () => {
    server.put(`${key}.lock`, "<html>");
    const refused = (await failureOf(take())) as StateLocked;
    expect(refused).toBeInstanceOf(StateLocked);
    const id = refused.holder?.id ?? "";
    expect(refused.holder).toMatchObject({ id: expect.stringMatching(/^[0-9a-f]{32}$/), who: "someone" });
    expect(await storeAt().unlock(id)).toMatchObject({ id });
    await (await take()).release();
  });
});

describe("what happens on the way", () => {
  test("a write whose answer is lost has taken effect, once", async () => {
    // The probe, the lease.
    server.faults.push(undefined, "cut");
    const session = await take();
    server.faults.push("cut", "cut");
    const state = await session.save({ ...fresh(), resources: { "toy.a": resource(1) } }, []);
    await session.record([sending("toy.b")]);
    server.faults.push("cut");
    await session.release();
    expect(state.serial).toBe(1);
    expect((await storeAt().read())?.state.serial).toBe(2);
    expect(JSON.parse(lockText())).toMatchObject({ free: true });
  });

  test("a write that took effect although it failed is not taken for somebody else's", async () => {
    const session = await take();
    const state = await session.save(fresh(), []);
    const slow = { status: 503, code: "SlowDown" };
    server.failing.set(`${key}.lock`, ["cut", slow]);
    expect((await failureOf(session.save(state, []))).message).toMatch(/could not write s3:\/\/states\/p\.json\.lock/);
    server.failing.clear();
    server.failing.set(key, ["cut", slow]);
    expect((await failureOf(session.save(state, []))).message).toMatch(/could not write s3:\/\/states\/p\.json:/);
    server.failing.clear();
    await session.save(state, []);
    await session.release();
  });

  test("a conflict with another write is tried again", async () => {
    server.faults.push(undefined, { status: 409, code: "ConditionalRequestConflict" });
    const session = await take();
    await session.save(fresh(), []);
    await session.release();
  });

  test("a state that somebody wrote without the lock is not written over", async () => {
    const session = await take();
    const state = await session.save(fresh(), []);
    server.put(key, `${server.objects.get(key)?.text}\n`);
    const before = server.objects.get(key);
    await expect(session.save(state, [])).rejects.toBeInstanceOf(LockLost);
    await session.release();
    expect(server.objects.get(key)).toBe(before);
  });
});

describe("an endpoint", () => {
  test.each(["if-match", "if-none-match"] as const)(
    "that ignores %s is refused before anything is written",
    async (header) => {
      server.ignores = header;
      const problem = await failureOf(take());
      expect(problem).toBeInstanceOf(StoreFailed);
      expect(problem.message.toLowerCase()).toContain(`ignores the condition ${header}`);
      expect(server.objects.has(key)).toBe(false);
    },
  );

  test.each([
    { fault: { status: 403, code: "AccessDenied" }, found: /AccessDenied, status 403.*s3:GetObject and s3:PutObject/ },
    { fault: { status: 404, code: "NoSuchBucket" }, found: /NoSuchBucket, status 404.*state\.bucket/ },
    { fault: { status: 501, code: "NotImplemented" }, found: /status 501.*conditional writes/ },
  ])("that answers $fault.code is told with what to do", async ({ fault, found }) => {
    server.faults.push(...Array.from({ length: 5 }, () => fault));
    const problem = await failureOf(take());
    expect(problem).toBeInstanceOf(StoreFailed);
    expect(problem.message).toMatch(found);
  });

  test("without credentials, and a bucket without a region, are told with where they are looked for", async () => {
    delete process.env["AWS_ACCESS_KEY_ID"];
    const problem = await failureOf(storeAt().read());
    expect(problem.message).toMatch(/CredentialsProviderError.*\$AWS_ACCESS_KEY_ID/);
    Object.assign(process.env, awsVariables);
    delete process.env["AWS_REGION"];
    const here = { bucket: bucketName, key, holder: realHolder };
    expect((await failureOf(s3Store(here).read())).message).toMatch(/Region is missing.*Set state\.region/);
  });

  test("needs a package, and says so where it is missing", async () => {
    const missing = Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
    const problem = await failureOf(storeAt({ loadS3: () => Promise.reject(missing) }).read());
    expect(problem).toBeInstanceOf(StoreFailed);
    expect(problem.message).toMatch(/no package @aws-sdk\/client-s3.*npm install @aws-sdk\/client-s3/);
  });
});
