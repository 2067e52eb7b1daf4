import { bagOf, flag, id, listOf, number, optional, orNull, record, text, time } from "../shape.ts";
import { type Digests, digests, type Members, type Stored, stored } from "./stored.ts";

export interface TestCaseRecord extends Stored {
  readonly organizationId: number;
  readonly name: string;
  readonly active: boolean;
  readonly description: string | null;
  /** Folder path, where a start named one (API 2, testcase_folder). */
  readonly folder?: string;
  /** View file that a start made the default (API 2, view): name and base64 contents. */
  readonly defaultView?: { readonly name: string; readonly contents: string };
}

export interface ScriptParameter {
  readonly name: string;
  readonly required: boolean;
  readonly encrypted: boolean;
  readonly defaultValue?: string;
}

export interface ScenarioRecord extends Stored {
  readonly testCaseId: number;
  readonly name: string;
  readonly main: string;
  readonly init: string | null;
  readonly teardown: string | null;
  readonly scriptType: string;
  readonly language: string;
  readonly nodeVersion: string;
  readonly paramsConfig: readonly ScriptParameter[];
  readonly tags: readonly string[];
  readonly sourceType: string;
  readonly sourceId: number | null;
  readonly readonly: boolean;
  readonly secrets: Digests;
  /** Parameters of the scenario that a start gave, by form field, without secrets and files (API 2, Scenario parameters). */
  readonly startParameters?: Readonly<Record<string, string>>;
  readonly startSecrets?: Digests;
}

export interface DataStoreRecord extends Stored {
  readonly scenarioId: number;
  readonly name: string;
  readonly contents: string;
  readonly type: string;
  readonly charset: string | null;
  readonly size: number;
  readonly numRows: number | null;
  readonly headers: string | null;
}

export interface IteratorRecord extends Stored {
  readonly dataStoreId: number;
  readonly name: string;
  /** Rows handed out so far in this round; one more than there are once it has ended for good. */
  readonly position: number;
  readonly usedAt: string;
}

const testCase: Members<TestCaseRecord> = {
  ...stored,
  organizationId: id,
  name: text,
  active: flag,
  description: orNull(text),
  folder: optional(text),
  defaultView: optional(record({ name: text, contents: text })),
};

const scenario: Members<ScenarioRecord> = {
  ...stored,
  testCaseId: id,
  name: text,
  main: text,
  init: orNull(text),
  teardown: orNull(text),
  scriptType: text,
  language: text,
  nodeVersion: text,
  paramsConfig: listOf(record({ name: text, required: flag, encrypted: flag, defaultValue: optional(text) })),
  tags: listOf(text),
  sourceType: text,
  sourceId: orNull(id),
  readonly: flag,
  secrets: digests,
  startParameters: optional(bagOf(text)),
  startSecrets: optional(digests),
};

const dataStore: Members<DataStoreRecord> = {
  ...stored,
  scenarioId: id,
  name: text,
  contents: text,
  type: text,
  charset: orNull(text),
  size: number,
  numRows: orNull(number),
  headers: orNull(text),
};

const iterator: Members<IteratorRecord> = { ...stored, dataStoreId: id, name: text, position: id, usedAt: time };

/** Members of the records of these tables. API 1, Test cases, Scenarios and Data stores. */
export const scenarioMembers = { testCase, scenario, dataStore, iterator };
