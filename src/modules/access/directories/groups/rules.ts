import type { OrgRole } from '#lib/caller.ts';

/** A group of a directory. Its members are apart. */
export type DirectoryGroup = {
  readonly id: string;
  readonly display_name: string;
  readonly external_id: string | null;
  /** What an administrator has decided that its members may do; null if the group decides nothing. */
  readonly role: OrgRole | null;
  readonly version: number;
  readonly created_at: Date;
  readonly changed_at: Date;
};

/** How many groups an organisation has, how many members each, and how many roles one request changes. */
export const directory_groups_max = 200;
export const group_members_max = 5_000;
export const role_changes_max = 500;

/** What a request changes of a group. What is left out stays. */
export type GroupChange = {
  readonly display_name?: string;
  readonly external_id?: string | null;
  readonly members?: MemberChange;
};

/** How a request changes the members: it begins with those of before or with none. */
export type MemberChange = {
  readonly keeps: boolean;
  readonly added: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
};

/** The roles that groups give, the highest first: an auditor reads the audit log, too. */
const ranked: readonly OrgRole[] = ['org_admin', 'auditor', 'org_viewer'];

/** Selects the highest of the roles that groups give; undefined if none gives one. */
function selectHighestRole(roles: readonly OrgRole[]): OrgRole | undefined {
  return ranked.find((role) => roles.includes(role));
}

/** A user, with the roles that the groups of the user give before a change and after it. */
export type RoleBasis = {
  readonly role: OrgRole;
  readonly before: readonly OrgRole[];
  readonly after: readonly OrgRole[];
};

/**
 * Decides the role after a change of groups. Who leaves the last group that gives a role is a viewer again; whom no group concerned, keeps the role.
 *
 * @returns undefined if the role stays.
 */
export function decideRole({ role, before, after }: RoleBasis): OrgRole | undefined {
  const given = selectHighestRole(after) ?? (before.length > 0 ? 'org_viewer' : role);
  return given === role ? undefined : given;
}
