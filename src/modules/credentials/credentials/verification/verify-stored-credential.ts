import type { Static } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { hasConsent } from '#modules/people/consent';
import { computeEngagementLevel, findMember } from '#modules/people/members';
import type { Transaction } from '#platform/database/database.ts';
import { serviceDatabase } from '#platform/instance-memory.ts';
import type { Services } from '#platform/platform.ts';
import { computeCredentialStatus, mayShowContent } from '../rules.ts';
import { buildIssuer } from '../signing/issuer.ts';
import { findCredential, findCredentialKey, type Credential } from '../store.ts';
import { toContentWire, type credentialVerificationWire } from '../wire.ts';
import { verifyToken } from './verify-token.ts';

/** Verifies the stored credential with an id. The result has its content if the member shares it. @throws Refusal `credential_not_found`. */
export async function verifyStored(
  services: Services,
  credential_id: string,
): Promise<Static<typeof credentialVerificationWire>> {
  const database = serviceDatabase(services);
  const key = await findCredentialKey(database, credential_id);
  const credential = key && (await findCredential(database, key));
  if (!credential) throw new Refusal('credential_not_found');
  const now = services.now();
  const { content, checks, ...verified } = await verifyToken(services, credential.vc_jwt, {
    check_revocation: true,
  });
  // The record may be newer than the status list that this process has in memory.
  const revocation = credential.revoked_at ? 'revoked' : checks.revocation;
  const isShown =
    credential.visibility === 'public' && (await database.transaction((tx) => mayShow(tx, credential)));
  return {
    credential_id,
    status: computeCredentialStatus(credential, now),
    issuer: buildIssuer(services.config.publicUrl).did,
    attestation_tier: credential.attestation_tier,
    valid: verified.valid && revocation === 'passed',
    checks: { ...checks, revocation },
    checked_at: now.toISOString(),
    credential: content && isShown ? toContentWire(content) : null,
  };
}

async function mayShow(tx: Transaction, { member_id }: Credential): Promise<boolean> {
  const member = await findMember(tx, member_id);
  if (!member) return false;
  const consented = await hasConsent(tx, member_id, 'credential_sharing');
  return mayShowContent({ consented, level: computeEngagementLevel(member) });
}
