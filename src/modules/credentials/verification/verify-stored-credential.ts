import type { Static } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { hasConsent } from '#modules/consent';
import { computeEngagementLevel, findMember } from '#modules/members';
import type { Transaction } from '#platform/database/database.ts';
import { serviceDatabase } from '#platform/instance-memory.ts';
import type { Services } from '#platform/platform.ts';
import { buildIssuer } from '../signing/issuer.ts';
import { mayShowContent, computeCredentialStatus } from '../rules.ts';
import { findCredential, type Credential } from '../store.ts';
import { verifyToken } from './verify-token.ts';
import { toContentWire, type credentialVerificationWire } from '../wire.ts';

/** Verifies the stored credential of an id, and tells what it says where its member shares it. @throws Refusal `credential_not_found`. */
export async function verifyStored(
  services: Services,
  credential_id: string,
): Promise<Static<typeof credentialVerificationWire>> {
  const found = await serviceDatabase(services).transaction(async (tx) => {
    const credential = await findCredential(tx, credential_id);
    return credential && { credential, isShown: await isShown(tx, credential) };
  });
  if (!found) throw new Refusal('credential_not_found');
  const { credential } = found;
  const now = services.now();
  const { content, checks, ...verified } = await verifyToken(services, credential.vc_jwt, {
    check_revocation: true,
  });
  // The record is newer than any list that this process has in memory.
  const revocation = credential.revoked_at ? 'revoked' : checks.revocation;
  return {
    credential_id,
    status: computeCredentialStatus(credential, now),
    issuer: buildIssuer(services.config.publicUrl).did,
    valid: verified.valid && revocation === 'passed',
    checks: { ...checks, revocation },
    checked_at: now.toISOString(),
    credential: content && found.isShown ? toContentWire(content) : null,
  };
}

async function isShown(tx: Transaction, { member_id, visibility }: Credential): Promise<boolean> {
  if (visibility === 'private') return false;
  const member = await findMember(tx, member_id);
  if (!member) return false;
  const consented = await hasConsent(tx, member_id, 'credential_sharing');
  return mayShowContent({ consented, level: computeEngagementLevel(member) });
}
