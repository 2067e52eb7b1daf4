import { bagOf, flag, id, orNull, text, time } from "../shape.ts";
import { type Digests, digests, type Members, type Stored, stored } from "./stored.ts";

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

export interface TagRecord extends Stored {
  readonly organizationId: number;
  readonly name: string;
}

const organization: Members<OrganizationRecord> = {
  ...stored,
  name: text,
  email: orNull(text),
  settings: bagOf(text),
  public: flag,
  shared: flag,
  active: flag,
};

const user: Members<UserRecord> = {
  ...stored,
  name: text,
  email: orNull(text),
  lastLoggedIn: orNull(time),
  accessType: text,
  confirmed: flag,
  active: flag,
  authSource: text,
  secrets: digests,
};

const grant: Members<GrantRecord> = { ...stored, userId: id, organizationId: id, userRole: text };

const tag: Members<TagRecord> = { ...stored, organizationId: id, name: text };

/** Members of the records of these tables. API 2, Organizations and users, Tags. */
export const organizationMembers = { organization, user, grant, tag };
