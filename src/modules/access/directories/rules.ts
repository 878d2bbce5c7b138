import { orgRoles, type OrgRole } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';

/** A user of an organisation, and what its directory says about them. */
export type DirectoryUser = {
  readonly id: string;
  readonly email: string;
  readonly display_name: string | null;
  readonly role: OrgRole;
  readonly suspended_at: Date | null;
  readonly created_at: Date;
  /** Null for a user whom the directory has not changed yet, as the next two. */
  readonly external_id: string | null;
  readonly deactivated_at: Date | null;
  readonly changed_at: Date | null;
};

/** How many users a directory may create. People invite at most 200. */
export const directory_users_max = 100_000;

/** What a request changes. What is left out stays as it is. */
export type UserChange = {
  readonly email?: string;
  readonly external_id?: string | null;
  readonly display_name?: string;
  readonly active?: boolean;
  readonly role?: OrgRole;
};

/** Whether a user can log in. */
export function isActive({ suspended_at }: Pick<DirectoryUser, 'suspended_at'>): boolean {
  return suspended_at === null;
}

/**
 * Selects the role that a directory gives.
 *
 * @throws Refusal `directory_value_fixed` if it appoints or dismisses an administrator.
 */
export function selectNewRole(before: OrgRole | undefined, asked: OrgRole): OrgRole {
  if (asked === before) return asked;
  if (asked === 'org_admin' || before === 'org_admin')
    throw new Refusal('directory_value_fixed', {
      detail:
        'A directory neither appoints nor dismisses administrators. An administrator does so at /app/people.',
    });
  return asked;
}

/**
 * Reads the role in a list that is one of ours. Directories add others, of other services.
 *
 * @returns undefined if there is none.
 */
export function readRole(values: readonly unknown[]): OrgRole | undefined {
  return orgRoles.find((role) => values.includes(role));
}
