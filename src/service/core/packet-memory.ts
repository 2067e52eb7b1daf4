import type { TrafficRecord } from "../store/records/gateways.ts";

/** A request of a generated script, as text. */
export interface RequestText {
  readonly text: string;
  readonly isSecure: boolean;
  /** Headers whose values come as parameters. */
  readonly secrets: readonly string[];
}

/** Knowledge about recorded packets that the store does not have; it lasts as long as they do, and no snapshot has it. */
export class PacketMemory {
  /** Headers as they travelled, where the store holds them with secrets masked. */
  readonly headers = new WeakMap<TrafficRecord, string>();
  /** Requests as they are written in a script, which is written anew with each further one. */
  readonly requests = new WeakMap<TrafficRecord, RequestText>();
}
