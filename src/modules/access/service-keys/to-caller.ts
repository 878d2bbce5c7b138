import { isOrgRole, type CallerKey, type LoggedInCaller } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Services } from '#platform/platform.ts';
import { listPermissibleRows, type KeyMaker } from './rules.ts';
import type { OpenKey } from './store.ts';

/** The rows that a key may be permitted, which do not change while the process runs. */
const permissibleRows = instanceMemory(({ rows }): Readonly<Record<KeyMaker, ReadonlySet<string>>> => ({
  org_admin: new Set(listPermissibleRows(rows, 'org_admin')),
  platform_admin: new Set(listPermissibleRows(rows, 'platform_admin')),
}));

/**
 * Converts a key to the caller that it makes of a program.
 *
 * @throws Refusal `token_invalid` for a key of a user without a role in the organisation or, for one of the platform, who is none of its administrators.
 */
export function toCaller(services: Pick<Services, 'memory'>, key: OpenKey): LoggedInCaller {
  const { id, user_id, org_id, role } = key;
  const session = {
    user_id,
    session_id: id,
    // Nobody has proved who they are, so nothing is open to the key that requires that.
    authenticated_at: new Date(0),
    service_key: toCallerKey(services, key),
  };
  if (org_id === null && role === 'platform_admin') return { role, ...session };
  // The database joins a user of the organisation, who has one of its roles.
  if (org_id === null || !isOrgRole(role)) throw new Refusal('token_invalid');
  return { role, org_id, ...session };
}

function toCallerKey(
  services: Pick<Services, 'memory'>,
  { id, org_id, permissions, networks }: OpenKey,
): CallerKey {
  // A key may be older than a rule about what only a person may do.
  const permissible = permissibleRows(services)[org_id === null ? 'platform_admin' : 'org_admin'];
  const rows = new Set(permissions.filter((each) => permissible.has(each)));
  return { service_key_id: id, rows, networks };
}
