import { configurationShapes } from "./configurations.ts";
import { dataStoreShapes } from "./data-stores.ts";
import type { Volatile } from "./descriptors.ts";
import { executionShapes } from "./executions.ts";
import { gatewayShapes } from "./gateways.ts";
import { organizationShapes } from "./organizations.ts";
import { ownShapes } from "./own.ts";
import { recordingShapes } from "./recordings.ts";
import { repositoryShapes } from "./repositories.ts";
import { runnerShapes } from "./runners.ts";
import { scenarioShapes } from "./scenarios.ts";
import { startShapes } from "./starting.ts";
import { tagShapes } from "./tags.ts";
import { testCaseShapes } from "./test-cases.ts";

/** Every object that travels on the wire, by name: field to descriptor (see `descriptors.ts`). */
export const shapes = {
  ...testCaseShapes,
  ...configurationShapes,
  ...scenarioShapes,
  ...dataStoreShapes,
  ...gatewayShapes,
  ...recordingShapes,
  ...repositoryShapes,
  ...runnerShapes,
  ...organizationShapes,
  ...tagShapes,
  ...startShapes,
  ...executionShapes,
  ...ownShapes,
} as const;

/** Name of an object on the wire. */
export type ShapeName = keyof typeof shapes;

/** Members that change by themselves: a recurring start, counts of agents and runs, links with a session's id. */
export const volatileMembers: Partial<Record<ShapeName, Volatile>> = {
  schedule: { members: ["nextScheduled"], unless: { member: "scheduleType", is: "Single" } },
  dataStore: { members: ["url", "thumbnailUrl", "deleteUrl"] },
  testCase: { members: ["lastRunAt", "lastRunExecutionId"] },
  region: {
    members: [
      ...["instances", "runningExecutions", "currentQueuedExecutions", "currentQueuedExecutionCount"],
      ...["activeAgentCount", "freeAgentCount", "busyAgentCount", "instanceCount", "totalExecutions"],
      ...["successExecutions", "queuedExecutions", "totalQueuedTime", "failedQueuedExecutions"],
      ...["todaySuccessHistory", "yesterdaySuccessHistory"],
    ],
  },
};

/** A JSON value. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

interface Scalars {
  readonly string: string;
  readonly int: number;
  readonly number: number;
  readonly boolean: boolean;
  readonly time: string;
  readonly epoch: number | string;
  readonly json: JsonValue;
  readonly binary: Uint8Array;
  readonly text: string;
  readonly none: undefined;
}

type Bare<D extends string> = D extends `${infer B}=${string}` ? Bare<B> : D extends `${infer B}!` ? B : D;

type Word<D extends string> = D extends `${infer E}[]`
  ? readonly Word<E>[]
  : D extends keyof Scalars
    ? Scalars[D]
    : D extends `@${infer N extends ShapeName}`
      ? Wire<N>
      : Choice<D>;

type Choice<D extends string> = D extends `${infer A}|${infer B}` ? A | Choice<B> : D;

/** The type of a value so described. */
export type ValueOf<D extends string> = Word<Bare<D>>;

type RequiredKeys<F> = { [K in keyof F]: F[K] extends `${string}!` ? K : never }[keyof F];

/** Fields of an answer: all optional but those that are always there, such as an id, for the service is not trusted. */
export type AnswerFields<F> = { readonly [K in RequiredKeys<F>]: F[K] extends string ? ValueOf<F[K]> : never } & {
  readonly [K in Exclude<keyof F, RequiredKeys<F>>]?: F[K] extends string ? ValueOf<F[K]> | null : never;
};

/** Fields of a request body: `null` clears any of them. */
export type BodyFields<F> = { readonly [K in RequiredKeys<F>]: F[K] extends string ? ValueOf<F[K]> | null : never } & {
  readonly [K in Exclude<keyof F, RequiredKeys<F>>]?: F[K] extends string ? ValueOf<F[K]> | null : never;
};

/** Query parameters: none has to be null. */
export type QueryFields<F> = { readonly [K in RequiredKeys<F>]: F[K] extends string ? ValueOf<F[K]> : never } & {
  readonly [K in Exclude<keyof F, RequiredKeys<F>>]?: F[K] extends string ? ValueOf<F[K]> : never;
};

/** An object of the API as it is sent and answered, by the name of its shape. */
export type Wire<N extends ShapeName> = AnswerFields<(typeof shapes)[N]>;
