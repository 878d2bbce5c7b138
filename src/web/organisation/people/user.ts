import * as orgUsers from '#modules/organisations/org-users';
import { Refusal } from '#lib/refusal.ts';
import type { OperationBody } from '#platform/operation.ts';
import type { Visit } from '../../serving/page.ts';

/** A user of the organisation, or an open invitation. */
export type User = OperationBody<typeof orgUsers.listUsers>['data'][number];

/** The name of a user, or the address of a person who was invited. */
export function nameUser({ display_name, email }: Pick<User, 'display_name' | 'email'>): string {
  return display_name ?? email;
}

/** The roles of an organisation, with what each may do. */
export function listOrgRoles({
  texts: { people },
}: Pick<Visit, 'texts'>): readonly (readonly [User['role'], string])[] {
  return (['org_viewer', 'auditor', 'org_admin'] as const).map((role) => [role, people.roleChoices[role]]);
}

const rows_max = 100;
/** An organisation has at most 200 users. */
const pages_max = 3;

/** Lists all users and invitations of the organisation. */
export async function listAllUsers({ call }: Pick<Visit, 'call'>): Promise<readonly User[]> {
  const users: User[] = [];
  let cursor: string | null | undefined;
  for (let pages = 0; pages < pages_max && cursor !== null; pages++) {
    const page = await call(orgUsers.listUsers, { limit: rows_max, ...(cursor && { cursor }) });
    users.push(...page.data);
    cursor = page.pagination.next_cursor;
  }
  return users;
}

/** Finds a user or an invitation of the organisation. @throws Refusal `user_not_found`. */
export function findUser(users: readonly User[], id: string): User {
  const user = users.find((each) => each.id === id);
  if (!user) throw new Refusal('user_not_found');
  return user;
}
