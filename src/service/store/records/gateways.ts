import { flag, id, listOf, number, oneOf, optional, orNull, record, text, time } from "../shape.ts";
import { type Members, type Stored, stored } from "./stored.ts";

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
  /** The scenario that is made of it; absent before the first request. */
  readonly scriptId?: number;
  /** Pages that were asked to be loaded in a browser: steps of the scenario without traffic. */
  readonly browserLoads?: readonly BrowserLoad[];
}

interface BrowserLoad {
  readonly at: string;
  readonly url: string;
  /** The last packet before it; 0 when there was none. */
  readonly after: number;
}

/** A packet of a recorded connection. */
export interface TrafficRecord extends Stored {
  readonly recordingId: number;
  readonly trafficType: "ConnectionOpened" | "DataSent" | "DataReceived" | "ConnectionClosed";
  readonly trafficTimestamp: string;
  readonly clientIp: string;
  readonly serverIp: string;
  readonly ssl: boolean;
  readonly connectionId: string;
  /** Bytes of head and body. */
  readonly length: number;
  readonly httpMethod: string | null;
  readonly httpPath: string | null;
  readonly httpHeaders: string | null;
  readonly httpStatus: number | null;
  readonly httpStatusText: string | null;
  readonly closeReason: string | null;
  /** The body in base64; null where there is none, or it was not kept. */
  readonly data: string | null;
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
  scriptId: optional(id),
  browserLoads: optional(listOf(record({ at: time, url: text, after: id }))),
};

const traffic: Members<TrafficRecord> = {
  ...stored,
  recordingId: id,
  trafficType: oneOf("ConnectionOpened", "DataSent", "DataReceived", "ConnectionClosed"),
  trafficTimestamp: time,
  clientIp: text,
  serverIp: text,
  ssl: flag,
  connectionId: text,
  length: number,
  httpMethod: orNull(text),
  httpPath: orNull(text),
  httpHeaders: orNull(text),
  httpStatus: orNull(number),
  httpStatusText: orNull(text),
  closeReason: orNull(text),
  data: orNull(text),
};

/** Members of the records of these tables. API 1, Gateways and Recordings. */
export const gatewayMembers = { gateway, recording, traffic };
