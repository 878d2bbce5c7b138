import type { LoggedInCaller } from '#lib/caller.ts';

/**
 * Names what a caller's requests are counted under. All agents of a user together have the quota of the role once more, so that none of them can
 * keep its user from stopping it. Each service key has a quota of its own.
 */
export function nameLimited({ user_id, grant, service_key }: LoggedInCaller): string {
  if (service_key) return `service key ${service_key.service_key_id}`;
  return grant ? `agents of ${user_id}` : user_id;
}
