import type { PutObjectCommandInput, S3ClientConfig } from "@aws-sdk/client-s3";
import { StoreFailed } from "../../state/store.ts";

/** The SDK; an optional peer, loaded when a project's state is in a bucket. */
type LoadS3 = () => Promise<
  Pick<typeof import("@aws-sdk/client-s3"), "S3Client" | "GetObjectCommand" | "PutObjectCommand">
>;

/** Which bucket, and how it is reached. Credentials are found as the AWS SDK finds them. */
export interface BucketSettings {
  readonly bucket: string;
  readonly region?: string;
  /** Of another service that speaks S3. */
  readonly endpoint?: string;
  readonly sleep: (ms: number) => Promise<void>;
  readonly loadS3?: LoadS3;
}

export interface StoredObject {
  readonly text: string;
  readonly etag: string;
  /** Since its last write, by the clock of the server alone. */
  readonly ageMs: number;
}

/** Objects of one bucket, written on conditions only. */
export interface S3Objects {
  readonly get: (key: string) => Promise<StoredObject | undefined>;
  /**
   * Writes over the object of that etag, or over none; the new etag, or undefined when the condition did not hold. A
   * text must differ from all earlier ones: found in place, it counts as written although its answer was lost.
   */
  readonly put: (key: string, text: string, over: string | undefined) => Promise<string | undefined>;
  readonly close: () => void;
}

const attempts = 5;
const pauseMs = 200;
const timeouts = { connectionTimeout: 10_000, requestTimeout: 30_000 };

/** Which Node.js the SDK will want next year is not what a user of loadform is to hear at every plan. */
const loadSdk: LoadS3 = () => {
  process.env["AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED"] ??= "true";
  return import("@aws-sdk/client-s3");
};

/** Opens a bucket. Rejects with {@link StoreFailed} where the SDK is not installed. */
export async function openBucket(settings: BucketSettings): Promise<S3Objects> {
  const { bucket, sleep, loadS3 = loadSdk } = settings;
  const { S3Client, GetObjectCommand, PutObjectCommand } = await loadS3().catch(missingSdk);
  const client = new S3Client(clientConfig(settings));
  const dates = new WeakMap<object, string>();
  client.middlewareStack.add(
    (next) => async (call) => {
      const result = await next(call);
      const { headers } = result.response as { readonly headers?: Readonly<Record<string, string>> };
      if (headers?.["date"] !== undefined && result.output) dates.set(result.output, headers["date"]);
      return result;
    },
    { step: "deserialize", priority: "high", name: "noteServerDate" },
  );
  const get: S3Objects["get"] = async (key) => {
    try {
      const output = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
      const text = (await output.Body?.transformToString("utf-8")) ?? "";
      const now = Date.parse(dates.get(output) ?? "") || Date.now();
      return { text, etag: output.ETag ?? "", ageMs: now - (output.LastModified?.getTime() ?? now) };
    } catch (problem) {
      if (errorName(problem) === "NoSuchKey") return undefined;
      throw bucketFailure("read", `${bucket}/${key}`, problem);
    }
  };
  return {
    get,
    async put(key, text, over) {
      const condition = over === undefined ? { IfNoneMatch: "*" } : { IfMatch: over };
      const content = { Body: text, ContentType: "application/json" };
      const input: PutObjectCommandInput = { Bucket: bucket, Key: key, ...content, ...condition };
      try {
        return await unlessBusy(sleep, async () => (await client.send(new PutObjectCommand(input))).ETag ?? "");
      } catch (problem) {
        // A write over an object that is gone is answered with 404.
        const isUnmet = statusOf(problem) === 412 || errorName(problem) === "NoSuchKey";
        if (!isUnmet) throw bucketFailure("write", `${bucket}/${key}`, problem);
        const found = await get(key);
        return found?.text === text ? found.etag : undefined;
      }
    },
    close: () => client.destroy(),
  };
}

/** Tries again while another write of the same object is under way, which is answered with 409. */
async function unlessBusy<T>(sleep: BucketSettings["sleep"], write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await write();
    } catch (problem) {
      if (statusOf(problem) !== 409 || attempt >= attempts) throw problem;
      await sleep(pauseMs * 2 ** (attempt - 1) * (0.5 + Math.random()));
    }
}

/** Other services take no checksums that S3 came to like, and no bucket in the host name. */
function clientConfig({ region, endpoint }: BucketSettings): S3ClientConfig {
  // A service of its own gets the region that all of them accept.
  const given = region ?? (endpoint !== undefined && !process.env["AWS_REGION"] ? "us-east-1" : undefined);
  return {
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(given !== undefined && { region: given }),
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    maxAttempts: attempts,
    requestHandler: timeouts,
  };
}

function missingSdk(cause: unknown): never {
  throw new StoreFailed(
    "there is no package @aws-sdk/client-s3, which backend s3 needs. Install it with loadform: npm install @aws-sdk/client-s3",
    { cause },
  );
}

function errorName(problem: unknown): string {
  return problem instanceof Error ? problem.name : "";
}

function statusOf(problem: unknown): number | undefined {
  const metadata =
    typeof problem === "object" && problem !== null && "$metadata" in problem ? problem.$metadata : undefined;
  return (metadata as { readonly httpStatusCode?: number } | undefined)?.httpStatusCode;
}

function bucketFailure(what: "read" | "write", where: string, problem: unknown): StoreFailed {
  const status = statusOf(problem);
  const words = problem instanceof Error ? problem.message.replace(/\s+/g, " ").slice(0, 300) : String(problem);
  const name = /region is missing/i.test(words) ? "RegionMissing" : errorName(problem);
  const found = `${name || "an error"}${status === undefined ? "" : `, status ${status}`} (${words})`;
  return new StoreFailed(`could not ${what} s3://${where}: ${found}. ${wayOut(name, status)}`, {
    cause: problem,
  });
}

function wayOut(name: string, status: number | undefined): string {
  if (name === "NoSuchBucket") return "The bucket does not exist: create it, or set state.bucket";
  if (name === "CredentialsProviderError")
    return "Put credentials where the AWS SDK looks for them: a role, a profile, or $AWS_ACCESS_KEY_ID and $AWS_SECRET_ACCESS_KEY";
  if (/region/i.test(name) || name === "PermanentRedirect") return "Set state.region to the region of the bucket";
  if (status === 501) return "The service must support conditional writes (If-Match, If-None-Match)";
  if (status === 401 || status === 403)
    return "You need the right to s3:GetObject and s3:PutObject on the key and on KEY.lock, and to s3:ListBucket on the bucket";
  return "Look at state.endpoint and state.region, or try again";
}
