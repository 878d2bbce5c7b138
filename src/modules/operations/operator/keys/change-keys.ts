import { recordAudit, type NewAuditEntry } from '#modules/operations/audit';
import { renewCredentials } from '#modules/credentials/credentials';
import type { Services } from '#platform/platform.ts';
import { refresh_ms, type KeyPurpose, type NewKey } from '#platform/security/keys.ts';

type Actor = NewAuditEntry['actor'];

/**
 * Retires all active signing keys, creates new ones and records their ids in the audit log. Credentials that the old keys signed stay valid,
 * access tokens do for the rest of their lifetime.
 *
 * @param actor Null for the operator on the command line.
 * @returns the new keys.
 */
export async function rotateSigningKeys(
  services: Pick<Services, 'keys' | 'now'>,
  actor: Actor = null,
): Promise<readonly NewKey[]> {
  let rotated: readonly NewKey[] = [];
  await services.keys.rotateAll(async (tx, created) => {
    rotated = created;
    await recordAudit(tx, {
      now: services.now(),
      actor,
      action: 'keys.rotated',
      detail: Object.fromEntries(created.map((key) => [formatKind(key), key.kid])),
    });
  });
  return rotated;
}

/** `access_token_es256`: the name of a kind of key in the audit log and on the command line. */
export function formatKind({ purpose, algorithm }: Pick<NewKey, 'purpose' | 'algorithm'>): string {
  return `${purpose}_${algorithm.toLowerCase()}`;
}

/** Other nodes may sign with a key for a few seconds after its revocation; the renewal of credentials starts after that. */
const renewal_delay_ms = 3 * refresh_ms;

type Revocation = { readonly kid: string; readonly purpose: KeyPurpose; readonly active_kid: string };

/**
 * Revokes a signing key, queues the renewal of the credentials that it signed, and records the revocation in the audit log.
 *
 * @returns undefined if no key has this id.
 */
export async function revokeSigningKey(
  { keys, now: readNow, queue }: Pick<Services, 'keys' | 'now' | 'queue'>,
  kid: string,
  actor: Actor = null,
): Promise<Revocation | undefined> {
  const now = readNow();
  const found = await keys.revoke(kid, async (tx, { purpose, active_kid }) => {
    const start_after = new Date(now.getTime() + renewal_delay_ms);
    if (purpose === 'credential') await queue.send(tx, renewCredentials, {}, { start_after });
    await recordAudit(tx, { now, actor, action: 'keys.revoked', detail: { kid, purpose, active_kid } });
  });
  return found && { kid, purpose: found.revoked.purpose, active_kid: found.active.kid };
}
