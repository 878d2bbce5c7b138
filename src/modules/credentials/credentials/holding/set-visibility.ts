import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { requireConsent } from '#modules/people/consent';
import { computeEngagementLevel, lockMember } from '#modules/people/members';
import type { Transaction } from '#platform/database/database.ts';
import { checkIfMatch } from '#platform/etag.ts';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { buildIssuer } from '../signing/issuer.ts';
import { lockCallerCredential } from './credential-access.ts';
import { sharing_level, visibilities } from '../rules.ts';
import { updateVisibility, type Credential } from '../store.ts';
import { credentialWire, toWire, untaggedFields } from '../wire.ts';

export const setVisibility = operation({
  name: 'credentials.setVisibility',
  title: 'Set the visibility of a credential',
  summary: 'Sets whether anyone who knows the id of a credential may see its content.',
  who: ['member'],
  input: Type.Object({ credential_id: uuid, visibility: Type.Enum(visibilities) }),
  output: { 200: credentialWire },
  etag: { without: untaggedFields },
  refuses: ['credential_not_found', 'consent_required', 'engagement_level_too_low'],
  samples: { request: { visibility: 'public' } },
  run: (context, { credential_id, visibility }) =>
    context.transaction(async (tx) => {
      if (visibility === 'public') await checkMayShare(tx, context.caller.member_id);
      const credential = await lockCallerCredential(context.caller, tx, credential_id);
      const toReply = (each: Credential) =>
        toWire(each, buildIssuer(context.config.publicUrl).did, context.now());
      await checkIfMatch(context.request, () => toReply(credential), untaggedFields);
      await updateVisibility(tx, credential, visibility);
      return toReply({ ...credential, visibility });
    }),
});

/** Locks the member, so that consent cannot be withdrawn before this transaction ends. */
async function checkMayShare(tx: Transaction, member_id: string): Promise<void> {
  const member = await lockMember(tx, member_id);
  if (!member || computeEngagementLevel(member) < sharing_level)
    throw new Refusal('engagement_level_too_low', {
      detail:
        'Sharing credentials requires engagement level 3 (Augmented). GET /members/me/engagement lists what is missing.',
    });
  await requireConsent(tx, member_id, 'credential_sharing');
}
