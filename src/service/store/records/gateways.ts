import { flag, id, listOf, number, orNull, record, text, time } from "../shape.ts";
import type { Members, Stored } from "./stored.ts";
import { stored } from "./stored.ts";

export interface GatewayKeyRecord extends Stored {
  readonly key: string;
  readonly url: string;
  readonly isPrimary: boolean;
}

export interface GatewayRecord extends Stored {
  readonly testCaseId: number;
  readonly name: string;
  readonly active: boolean;
  readonly keys: readonly GatewayKeyRecord[];
}

export interface RecordingRecord extends Stored {
  readonly gatewayId: number;
  readonly name: string;
  readonly running: boolean;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  readonly limitBreached: boolean;
  readonly trafficSizeBytes: number;
  readonly trafficConnections: number;
}

const gatewayKey: Members<GatewayKeyRecord> = { ...stored, key: text, url: text, isPrimary: flag };

const gateway: Members<GatewayRecord> = {
  ...stored,
  testCaseId: id,
  name: text,
  active: flag,
  keys: listOf(record(gatewayKey)),
};

const recording: Members<RecordingRecord> = {
  ...stored,
  gatewayId: id,
  name: text,
  running: flag,
  startedAt: time,
  finishedAt: orNull(time),
  limitBreached: flag,
  trafficSizeBytes: number,
  trafficConnections: number,
};

/** What each record of these tables has. API 1, Gateways and Recordings. */
export const gatewayMembers = { gateway, recording };
