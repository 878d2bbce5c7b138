import { randomUUID } from 'node:crypto';
import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { signForms, type CredentialStatement } from '../signing/signed-forms.ts';
import { buildIssuer } from '../signing/issuer.ts';
import { truncateToSeconds } from '../rules.ts';
import type { StatusPlace } from '../revocation/status-lists.ts';
import { attestationIssued } from '../events.ts';
import { insertCredentials, type Credential } from '../store.ts';

/** What issuing needs besides its transaction. */
export type IssuingContext = Pick<Services, 'config' | 'keys' | 'queue' | 'now' | 'memory'>;

/** What is to be attested; the claims were checked. */
export type CredentialDraft = Pick<
  CredentialStatement,
  'member_id' | 'credential_type' | 'attestation_tier' | 'claims' | 'expires_at'
>;

/**
 * Issues credentials: each is signed in its three forms, kept and told as `attestation.issued`, all in the caller's transaction.
 *
 * @param places As many as drafts, taken before the transaction by `takePlaces`.
 */
export async function issueCredentials(
  { config, keys, queue, now }: IssuingContext,
  tx: Transaction,
  drafts: readonly CredentialDraft[],
  places: readonly StatusPlace[],
): Promise<readonly Credential[]> {
  const issuer = buildIssuer(config.publicUrl);
  const key = keys.selectActive('ES256');
  const issued_at = truncateToSeconds(now());
  const issued = drafts.map((draft, index): Credential => {
    const statement = { ...draft, ...places[index]!, id: randomUUID(), issued_at };
    return { ...statement, ...signForms(issuer, key, statement), ...initialState };
  });
  await insertCredentials(tx, issued);
  for (const credential of issued) await queue.emit(tx, attestationIssued, buildCredentialEvent(credential));
  return issued;
}

const initialState = {
  revoked_at: null,
  revocation_reason: null,
  visibility: 'private',
  verifications: 0,
} as const;

/** What an event tells of a credential: never its claims. `member_id` finds the listeners, and the event when the member is erased. */
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
