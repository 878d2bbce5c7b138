import { isOrgRole, type LoggedInCaller } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Services } from '#platform/platform.ts';
import { listPermissibleRows } from './rules.ts';
import type { OpenKey } from './store.ts';

/** The rows that a key may be permitted, which do not change while the process runs. */
const permissibleRows = instanceMemory(({ rows }): ReadonlySet<string> => new Set(listPermissibleRows(rows)));

/**
 * Converts a key to the caller that it makes of a program.
 *
 * @throws Refusal `token_invalid` for a key of a user without a role in the organisation.
 */
export function toCaller(
  services: Pick<Services, 'memory'>,
  { id, user_id, org_id, role, permissions, networks }: OpenKey,
): LoggedInCaller {
  // The database joins a user of the organisation, who has one of its roles.
  if (!isOrgRole(role)) throw new Refusal('token_invalid');
  // A key may be older than a rule about what only a person may do.
  const rows = new Set(permissions.filter((each) => permissibleRows(services).has(each)));
  return {
    role,
    org_id,
    user_id,
    session_id: id,
    // Nobody has proved who they are, so nothing is open to the key that requires that.
    authenticated_at: new Date(0),
    service_key: { service_key_id: id, rows, networks },
  };
}
