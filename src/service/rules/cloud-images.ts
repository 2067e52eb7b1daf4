import type { JsonValue } from "../../api/routes.ts";
import type { Scope } from "../core/scope.ts";
import { wordsOf } from "./read-runners.ts";

/** Regions of the cloud in which runners can be started, each with an image per system. */
const known = [
  "us-east-1",
  "us-east-2",
  "us-west-1",
  "us-west-2",
  "ca-central-1",
  "sa-east-1",
  "eu-central-1",
  "eu-west-1",
  "eu-west-2",
  "eu-west-3",
  "eu-north-1",
  "ap-south-1",
  "ap-southeast-1",
  "ap-southeast-2",
  "ap-northeast-1",
  "ap-northeast-2",
] as const;

/**
 * API 2, GET /cloud/amis: the images of the named regions, in the order given. DECISION (API 2, GET /cloud/amis): images are made up, the same in every
 * service; all known regions are answered when none is named, one may be written as the public grid does (`cloud-us-east-1`), and an unknown one is 400.
 */
export function cloudImages(regions: string | undefined, { findings }: Scope): readonly JsonValue[] {
  const named = [...new Set(wordsOf(regions))];
  for (const name of named)
    if (rankOf(name) < 0) findings.add("regions", `found "${name}"; expected regions of ${known.join(", ")}`);
  findings.check();
  return (named.length > 0 ? named : known).map((region) => {
    const place = rankOf(region) + 1;
    return { region, ami: { linux: imageId(0x10000 + place), windows: imageId(0x20000 + place) } };
  });
}

function rankOf(name: string): number {
  return known.findIndex((each) => each === name || `cloud-${each}` === name);
}

/** An image id in the cloud's form: 17 hexadecimal digits. */
function imageId(number: number): string {
  return `ami-0${number.toString(16).padStart(16, "0")}`;
}
