import { flag, id, listOf, number, orNull, record, text, time } from "../shape.ts";
import type { Members, Stored } from "./stored.ts";
import { jsonText, stored } from "./stored.ts";

export interface ExecutionRegionRecord {
  readonly id: number;
  readonly chunkId: number;
  readonly regionId: number | null;
  readonly regionName: string;
  readonly concurrentClients: number;
}

export interface ExecutionRecord extends Stored {
  readonly configurationId: number;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  readonly running: boolean;
  readonly allocated: boolean;
  readonly completed: boolean;
  readonly cancelledByUser: boolean;
  readonly success: boolean | null;
  readonly iterations: number | null;
  readonly iterationSleepSecs: number;
  readonly rampupSecs: number | null;
  readonly concurrentClients: number;
  readonly scriptParams: string;
  readonly tags: readonly string[];
  readonly regions: readonly ExecutionRegionRecord[];
}

const execution: Members<ExecutionRecord> = {
  ...stored,
  configurationId: id,
  startedAt: time,
  finishedAt: orNull(time),
  running: flag,
  allocated: flag,
  completed: flag,
  cancelledByUser: flag,
  success: orNull(flag),
  iterations: orNull(number),
  iterationSleepSecs: number,
  rampupSecs: orNull(number),
  concurrentClients: number,
  scriptParams: jsonText,
  tags: listOf(text),
  regions: listOf(record({ id, chunkId: id, regionId: orNull(id), regionName: text, concurrentClients: number })),
};

/** What each record of these tables has. API 2, Executions. */
export const executionMembers = { execution };
