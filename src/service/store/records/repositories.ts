import { id, orNull, text } from "../shape.ts";
import { type Digests, digests, type Members, type Stored, stored } from "./stored.ts";

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

const vcsRoot: Members<VcsRootRecord> = {
  ...stored,
  organizationId: id,
  name: text,
  vcsType: text,
  url: text,
  branch: text,
  vcsAuthType: text,
  username: orNull(text),
  privateKeyName: orNull(text),
  secrets: digests,
};

/** Members of the records of these tables. API 1, Repositories. */
export const repositoryMembers = { vcsRoot };
