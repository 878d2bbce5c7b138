import type { Static } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { hasConsent } from '#modules/consent';
import { engagementLevel, findMember } from '#modules/members';
import type { Transaction } from '#platform/database/database.ts';
import { serviceDatabase } from '#platform/instance-memory.ts';
import type { Services } from '#platform/platform.ts';
import { issuerOf } from '../signing/issuer.ts';
import { maySay, statusOf } from '../rules.ts';
import { findCredential, type Credential } from '../store.ts';
import { verifyToken } from './verify-token.ts';
import { credentialVerificationWire, shown } from '../wire.ts';

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
    status: statusOf(credential, now),
    issuer: issuerOf(services.config.publicUrl).did,
    valid: verified.valid && revocation === 'passed',
    checks: { ...checks, revocation },
    checked_at: now.toISOString(),
    credential: content && found.isShown ? shown(content) : null,
  };
}

async function isShown(tx: Transaction, { member_id, visibility }: Credential): Promise<boolean> {
  if (visibility === 'private') return false;
  const member = await findMember(tx, member_id);
  if (!member) return false;
  const consented = await hasConsent(tx, member_id, 'credential_sharing');
  return maySay({ consented, level: engagementLevel(member) });
}
