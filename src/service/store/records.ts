import type { JsonValue } from "../../api/routes.ts";

/** What every stored object carries (seed 1, conventions 2). */
export interface Stored {
  readonly id: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Values of which only a salted digest is kept, by field. */
export type Digests = Readonly<Record<string, string>>;

/** Free JSON by key. */
export type Bag = Readonly<Record<string, JsonValue>>;

export interface OrganizationRecord extends Stored {
  readonly name: string;
  readonly email: string | null;
  readonly settings: Readonly<Record<string, string>>;
  readonly public: boolean;
  readonly shared: boolean;
  readonly active: boolean;
}

export interface UserRecord extends Stored {
  readonly name: string;
  readonly email: string | null;
  readonly lastLoggedIn: string | null;
  readonly accessType: string;
  readonly confirmed: boolean;
  readonly active: boolean;
  readonly authSource: string;
  readonly secrets: Digests;
}

export interface GrantRecord extends Stored {
  readonly userId: number;
  readonly organizationId: number;
  readonly userRole: string;
}

export interface TestCaseRecord extends Stored {
  readonly organizationId: number;
  readonly name: string;
  readonly active: boolean;
  readonly description: string | null;
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

export interface RunnerRecord {
  readonly id: number;
  readonly providerId: number;
  readonly numRegions: number;
  readonly params: Readonly<Record<string, string>>;
}

export interface TriggerRecord {
  readonly id: number;
  readonly conditions: readonly (Bag & { readonly id: number })[];
  readonly actions: readonly (Bag & { readonly id: number })[];
}

/** The fields of a configuration that are neither lists nor references. */
export interface LoadFields {
  readonly name: string;
  readonly profileType: string;
  readonly durationSecs?: number;
  readonly iterations?: number;
  readonly iterationSleepSecs: number;
  readonly rampupSecs?: number;
  readonly concurrentClients?: number;
  readonly startConcurrentClients?: number;
  readonly step?: number;
  readonly scriptParams: string;
  readonly imageDiffMode: string;
}

export interface ConfigurationRecord extends Stored, LoadFields {
  readonly testCaseId: number;
  readonly scriptId: number;
  readonly providers: readonly RunnerRecord[];
  readonly triggers: readonly TriggerRecord[];
  readonly secrets: Digests;
}

export interface WindowRecord {
  readonly recurringInterval: string;
  readonly startDay?: number;
  readonly endDay?: number;
  readonly startDayOfWeek?: number;
  readonly endDayOfWeek?: number;
  readonly startHour?: number;
  readonly endHour?: number;
  readonly startMinute: number;
  readonly endMinute: number;
}

/** What a schedule says, without its identity. */
export interface ScheduleFields {
  readonly scheduleType: string;
  readonly nextScheduled?: string;
  readonly recurringInterval?: string;
  readonly minute?: number;
  readonly hour?: number;
  readonly week?: number;
  readonly dayOfWeek?: number;
  readonly month?: number;
  readonly day?: number;
  readonly exclusions?: readonly WindowRecord[];
}

export interface ScheduleRecord extends Stored, ScheduleFields {
  readonly configurationId: number;
  readonly active: boolean;
}

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

export interface VcsRootRecord extends Stored {
  readonly organizationId: number;
  readonly name: string;
  readonly vcsType: string;
  readonly url: string;
  readonly branch: string;
  readonly vcsAuthType: string;
  readonly username: string | null;
  readonly privateKeyName: string | null;
  readonly secrets: Digests;
}

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

export interface TagRecord extends Stored {
  readonly organizationId: number;
  readonly name: string;
}

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

export interface ShareLinkRecord extends Stored {
  readonly organizationId: number;
  readonly configurationId: number;
  readonly name: string;
  readonly description: string;
  readonly active: boolean;
}

export interface IteratorRecord extends Stored {
  readonly dataStoreId: number;
  readonly name: string;
  /** Rows handed out so far in this round. */
  readonly position: number;
  readonly usedAt: string;
}

/** Everything that is stored, by table. */
export interface Tables {
  readonly organization: OrganizationRecord;
  readonly user: UserRecord;
  readonly grant: GrantRecord;
  readonly testCase: TestCaseRecord;
  readonly scenario: ScenarioRecord;
  readonly dataStore: DataStoreRecord;
  readonly configuration: ConfigurationRecord;
  readonly schedule: ScheduleRecord;
  readonly gateway: GatewayRecord;
  readonly recording: RecordingRecord;
  readonly vcsRoot: VcsRootRecord;
  readonly provider: ProviderRecord;
  readonly region: RegionRecord;
  readonly agent: AgentRecord;
  readonly tag: TagRecord;
  readonly execution: ExecutionRecord;
  readonly shareLink: ShareLinkRecord;
  readonly iterator: IteratorRecord;
}

/** Name of a table. */
export type TableName = keyof Tables;
