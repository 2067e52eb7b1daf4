import { anything, bagOf, flag, id, listOf, number, orNull, record, text } from "../shape.ts";
import { type Bag, type Digests, digests, type Members, type Stored, stored } from "./stored.ts";

export interface ProviderRecord extends Stored {
  /** Absent on public providers. */
  readonly organizationId: number | null;
  readonly name: string;
  readonly public: boolean;
  readonly providerType: string;
  readonly metadata: Bag;
  readonly active: boolean;
  readonly secrets: Digests;
}

export interface LocationRecord {
  readonly id: number;
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
}

export interface RegionRecord extends Stored {
  readonly providerId: number;
  readonly name: string;
  readonly description: string | null;
  readonly active: boolean;
  readonly location: LocationRecord | null;
}

export interface AgentRecord extends Stored {
  readonly organizationId: number;
  readonly name: string;
  readonly host: string;
  readonly instanceId: string;
  readonly active: boolean;
  readonly running: boolean;
  readonly version: string;
  readonly regionIds: readonly number[];
}

const location = { id, name: text, latitude: number, longitude: number };

const provider: Members<ProviderRecord> = {
  ...stored,
  organizationId: orNull(id),
  name: text,
  public: flag,
  providerType: text,
  metadata: bagOf(anything),
  active: flag,
  secrets: digests,
};

const region: Members<RegionRecord> = {
  ...stored,
  providerId: id,
  name: text,
  description: orNull(text),
  active: flag,
  location: orNull(record(location)),
};

const agent: Members<AgentRecord> = {
  ...stored,
  organizationId: id,
  name: text,
  host: text,
  instanceId: text,
  active: flag,
  running: flag,
  version: text,
  regionIds: listOf(id),
};

/** Members of the records of these tables. API 2, Providers, regions, agents. */
export const runnerMembers = { provider, region, agent };
