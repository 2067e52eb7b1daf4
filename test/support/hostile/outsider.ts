import type { Service } from "../../../src/service/index.ts";
import { type Body, declaredIn, nameOf, type Value } from "./document.ts";
import { pick } from "./draw.ts";
import type { Ledger } from "./ledger.ts";
import { isLookalike } from "./lookalike.ts";
import type { Request, Scene, Write } from "./outside-requests.ts";
import * as requests from "./outside-requests.ts";
import { RoundTrips } from "./round-trips.ts";
import { parentOf, type Rows, rowsOf } from "./rows.ts";
import { withoutFaults } from "./without-faults.ts";

/** What somebody else does at the service. */
export const outsideActs = [
  "a child",
  "an object",
  "the same name",
  "an unmanaged field",
  "a managed field",
  "a rename",
  "a deletion",
  "schedules anew",
  "a run",
  "a recording",
  "a pause",
] as const;

/** One of them. */
export type OutsideAct = (typeof outsideActs)[number];

/** Somebody else with access to the same service; what they do goes into the ledger. */
export class Outsider {
  readonly #service: Service;
  readonly #ledger: Ledger;
  /** What of ours is under way while they do something. */
  readonly trips: RoundTrips;
  /** The document that is being applied. */
  document: Body = {};
  #count = 0;

  constructor(service: Service, ledger: Ledger) {
    this.#service = withoutFaults(service);
    this.#ledger = ledger;
    this.trips = new RoundTrips(service, ledger);
  }

  /** Does something to what a number picks; answers what is wrong with what they find. */
  async act(act: OutsideAct, at: number): Promise<readonly string[]> {
    await this.tick();
    const problems = this.#ledger.broken(this.#service);
    const rows = rowsOf(this.#service);
    const ours = [...rows].filter(([handle]) => !this.#ledger.foreign.has(handle));
    await this.#does[act]({ rows, ours: ours.map(([handle, of]) => ({ handle, ...of })), at });
    await this.tick();
    return problems;
  }

  /** Sends a request; a refusal is a refusal. */
  async call(method: string, path: string, body?: Body): Promise<Value | undefined> {
    if (method !== "GET") await this.#otherMoment();
    const headers = { "x-api-key": this.#service.apiKey };
    const answer = await this.#service.handle({ method, path, headers, ...(body && { body: body as never }) });
    return answer.status === 200 ? ((answer.json ?? null) as Value) : undefined;
  }

  #rows = () => rowsOf(this.#service);

  readonly #does: Readonly<Record<OutsideAct, (scene: Scene) => Promise<void>>> = {
    "a child": (scene) => this.#child(scene, `theirs ${this.#count++}`),
    "an object": ({ rows, at }) => this.#make(pick(requests.topRequests(`theirs ${this.#count++}`, rows), at), rows),
    "the same name": (scene) => this.#sameName(scene),
    "an unmanaged field": (scene) => this.#unmanaged(scene),
    "a managed field": ({ ours, at }) => this.#write(pick(ours.flatMap(requests.managedWrites), at)),
    "a rename": ({ ours, at }) =>
      this.#rename(
        pick(
          ours.flatMap((each) => requests.rename(each, `renamed ${at}`)),
          at,
        ),
      ),
    "a deletion": (scene) => this.#delete(scene),
    "schedules anew": (scene) => this.#anew(scene),
    "a run": async ({ ours, at }) => {
      const target = pick(
        ours.filter(({ kind }) => kind === "configuration"),
        at,
      );
      if (target) await this.call("POST", `/test-confs/${target.row.id}/executions`, {});
    },
    "a recording": async ({ ours, at }) => {
      const target = pick(
        ours.filter(({ kind }) => kind === "gateway"),
        at,
      );
      if (target === undefined) return;
      const made = await this.call("POST", `/gateways/${target.row.id}/recordings`, { name: "theirs" });
      if (made) await this.call("PATCH", `/recordings/${(made as { readonly id: number }).id}/stop`);
    },
    "a pause": async ({ ours, at }) => {
      const schedules = ours.filter(({ kind, row }) => kind === "schedule" && row["scheduleType"] === "Recurring");
      const target = pick(schedules, at);
      if (target === undefined) return;
      const active = target.row["active"] !== true;
      await this.#write({ ...target, request: ["PUT", `/test-schedules/${target.row.id}`, { active }] });
    },
  };

  async #child({ ours, rows, at }: Scene, name: string): Promise<void> {
    await this.#make(
      pick(
        ours.flatMap((each) => requests.childRequests(each, name)),
        at,
      ),
      rows,
    );
  }

  /** Makes something; what was there already is overwritten, as with an upsert. */
  async #make(request: Request | undefined, before: Rows): Promise<void> {
    if (request !== undefined) await this.trips.acts(() => this.#send(request, before));
  }

  async #send(request: Request, before: Rows): Promise<void> {
    const answer = await this.call(...request);
    const { id } = (answer ?? {}) as { readonly id?: number };
    const kind = requests.kindOfPath(request[1]);
    const handle = `${kind}#${String(id)}`;
    const rows = this.#rows();
    if (id === undefined || !rows.has(handle)) return;
    const { foreign } = this.#ledger;
    if (before.has(handle) && !foreign.has(handle)) return this.#ledger.write(handle, request[2] ?? {});
    if (!before.has(handle)) this.trips.made(handle, request[1], request[2] ?? {});
    this.#ledger.refresh(rows, [
      handle,
      ...[...rows].filter(([, { row, kind: of }]) => parentOf(of, row) === handle).map(([each]) => each),
    ]);
    await this.#blur(handle, before, rows);
  }

  /**
   * What somebody makes under the name of a create of ours whose answer was never seen, and that says all that ours would say,
   * cannot be told from what that create made: it may be bound, and it may be left alone.
   */
  async #blur(handle: string, before: Rows, rows: Rows): Promise<void> {
    const { kind = "", row } = rows.get(handle) ?? {};
    if (row === undefined || before.has(handle) || !isLookalike(this.document, kind, row)) return;
    if (!(await this.isInDoubt(kind, row["name"]))) return;
    this.#ledger.foreign.delete(handle);
    this.#ledger.unclear.add(handle);
  }

  /** An object with the name of one that is declared, where that one will be. */
  async #sameName({ rows, at }: Scene): Promise<void> {
    const declared = declaredIn(this.document);
    const target = pick(
      declared.filter(({ kind }) => requests.sameNameKinds.has(kind)),
      at,
    );
    if (target === undefined) return;
    const name = nameOf(target);
    const above = declared.find(({ address }) => address === target.parent);
    const holder =
      above && [...rows.entries()].find(([, each]) => each.kind === above.kind && each.row["name"] === nameOf(above));
    const possible = above
      ? holder && requests.childRequests({ handle: holder[0], ...holder[1] }, name)
      : requests.topRequests(name, rows).filter(([, path]) => requests.kindOfPath(path) === target.kind);
    await this.#make(
      possible?.find(([, path]) => requests.kindOfPath(path) === target.kind),
      rows,
    );
  }

  async #unmanaged({ ours, at }: Scene): Promise<void> {
    const declared = declaredIn(this.document);
    const open = ours.flatMap((each) => {
      const own = declared.filter((of) => of.kind === each.kind && nameOf(of) === each.row["name"]);
      const [one] = own;
      const field = requests.unmanagedFields[each.kind];
      if (own.length !== 1 || one === undefined || field === undefined || one.body[field[0]] !== undefined) return [];
      const [name, value] = field;
      return [{ ...each, request: [field[2], field[3](each.row.id), { [name]: value }] as const }];
    });
    await this.#write(pick(open, at));
  }

  async #write(write: Write | undefined): Promise<void> {
    if (write === undefined) return;
    const [method, path, body = {}] = write.request;
    const sent = method === "POST" ? { name: write.row["name"] ?? null, org: 1, ...body } : body;
    if ((await this.call(method, path, sent)) !== undefined) this.#ledger.write(write.handle, body);
  }

  /** What is renamed before we know of it cannot be told by its name any more. */
  async #rename(write: Write | undefined): Promise<void> {
    if (write !== undefined && !(await this.isBound(write.handle))) this.#ledger.unclear.add(write.handle);
    await this.#write(write);
  }

  async #delete({ ours, at }: Scene): Promise<void> {
    const target = pick(
      ours.filter(({ kind }) => requests.paths[kind] !== undefined),
      at,
    );
    if (target === undefined) return;
    const gone = (await this.call("DELETE", requests.paths[target.kind]?.(target.row.id) ?? "")) !== undefined;
    if (!gone) return;
    const rows = this.#rows();
    this.#ledger.forget(rows);
    this.releaseGone(rows);
  }

  /** Lets the time pass that what they do takes. */
  tick: () => Promise<void> = async () => undefined;

  /** Epoch milliseconds, and how one of them passes. */
  clock: { readonly now: () => number; readonly sleep: (ms: number) => Promise<void> } | undefined;

  /** What they change was never written in the same millisecond: then nobody could tell that it was changed. */
  async #otherMoment(): Promise<void> {
    const { clock } = this;
    const isNow = (time: unknown) => time === new Date(clock?.now() ?? 0).toISOString();
    while (clock !== undefined && [...this.#rows().values()].some(({ row }) => isNow(row["updatedAt"])))
      await clock.sleep(1);
  }

  /** Whether an object of ours is known to be ours. */
  isBound: (handle: string) => Promise<boolean> = async () => true;

  /** Whether a create of ours of this name was noted and never answered. */
  isInDoubt: (kind: string, name: Value | undefined) => Promise<boolean> = async () => false;

  /** What is gone may be made anew. */
  releaseGone: (rows: Rows) => void = () => undefined;

  /** Saves the schedules of a configuration again, without their ids. */
  async #anew({ ours, rows, at }: Scene): Promise<void> {
    const target = pick(
      ours.filter(({ kind }) => kind === "configuration"),
      at,
    );
    if (target === undefined) return;
    const own = [...rows].filter(
      ([, { kind, row }]) => kind === "schedule" && row["configurationId"] === target.row.id,
    );
    if (own.length === 0 || own.some(([handle]) => this.#ledger.foreign.has(handle))) return;
    const schedules = own.map(([, { row }]) => requests.asSent(row));
    await this.call("PUT", `/test-confs/${target.row.id}`, { schedules });
    this.releaseGone(this.#rows());
  }
}
