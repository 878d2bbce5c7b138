import { randomUUID } from 'node:crypto';
import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import type { SigningKey } from '#platform/security/keys.ts';
import { attestationIssued } from '../events.ts';
import type { ReservedPlace } from '../revocation/status-lists.ts';
import { truncateToSeconds } from '../rules.ts';
import { buildIssuer } from '../signing/issuer.ts';
import { signForms } from '../signing/signed-forms.ts';
import type { CredentialStatement } from '../signing/statement.ts';
import { insertCredentials, type Credential } from '../store.ts';

/** The services that issuing needs besides a transaction. */
export type IssuingContext = Pick<Services, 'config' | 'keys' | 'queue' | 'now' | 'memory'>;

/** A credential to issue. Its claims are already checked. */
export type CredentialDraft = Pick<
  CredentialStatement,
  'member_id' | 'credential_type' | 'attestation_tier' | 'claims' | 'expires_at'
>;

/**
 * Issues credentials in the caller's transaction: signs each in its four forms, stores it and emits `attestation.issued`.
 *
 * @param places A status list entry for each draft, reserved by `takePlaces` before the transaction.
 */
export async function issueCredentials(
  { config, keys, queue, now }: IssuingContext,
  tx: Transaction,
  drafts: readonly CredentialDraft[],
  places: readonly ReservedPlace[],
): Promise<readonly Credential[]> {
  const issuer = buildIssuer(config.publicUrl);
  const issued_at = truncateToSeconds(now());
  const issued = drafts.map((draft, index) => {
    const { kid, ...place } = places[index]!;
    const statement = { ...draft, ...place, id: randomUUID(), issued_at };
    return { ...statement, ...signForms(issuer, requireKey(keys, kid), statement), ...initialState };
  });
  insertCredentials(tx, issued);
  for (const credential of issued) await queue.emit(tx, attestationIssued, buildCredentialEvent(credential));
  return issued;
}

/** The key of the status list. If it was revoked a moment ago, the task that the revocation queued signs the credential again. */
function requireKey(keys: Services['keys'], kid: string): SigningKey {
  const key = keys.findInMemory('credential', kid);
  if (!key) throw new Error(`the key ${kid} of a status list does not exist`);
  return key;
}

const initialState = {
  revoked_at: null,
  revocation_reason: null,
  visibility: 'private',
  verifications: 0,
} as const;

/** The payload of a credential's events. */
export function buildCredentialEvent(credential: Credential) {
  const { id, member_id, credential_type, attestation_tier, issued_at, expires_at, revoked_at } = credential;
  return {
    credential_id: id,
    member_id,
    credential_type,
    attestation_tier,
    status: revoked_at ? ('revoked' as const) : ('active' as const),
    issued_at: issued_at.toISOString(),
    expires_at: expires_at.toISOString(),
    revoked_at: revoked_at?.toISOString() ?? null,
  };
}
