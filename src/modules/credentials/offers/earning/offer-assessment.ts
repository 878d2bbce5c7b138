import { randomUUID } from 'node:crypto';
import { Refusal } from '#lib/refusal.ts';
import { attestClaims, type Claims } from '#modules/credentials/credentials';
import { findMeasurement } from '#modules/measurement/traits';
import { lockMemberShared } from '#modules/people/members';
import type { Transaction } from '#platform/database/database.ts';
import { task, type TaskContext } from '#platform/queue/task.ts';
import { isCredentialActive } from '../end-accepted-offer.ts';
import { endOffer, makeOffer, openOffer } from '../open-offer.ts';
import { isLive, type Offer } from '../rules.ts';
import { lockLatestOffer, lockLiveOffers } from '../store.ts';

/** What the service vouches for, as it is offered. */
type Earned = Pick<Offer, 'credential_type' | 'about' | 'claims'>;

const expiry_days = 365;

/**
 * Offers what a finished assessment has earned: that it was completed, and the archetype if it is certain enough. Answers that look careless earn nothing.
 * Open offers of an earlier result are withdrawn.
 */
export const offerAssessment = task<{ readonly member_id: string; readonly at: string }>({
  name: 'offers.offerAssessment',
  retry_seconds: [10, 60, 300],
  group_by: ({ member_id }) => member_id,
  run: (context, { member_id }) =>
    context.database.transaction(async (tx) => {
      const member = await lockMemberShared(tx, member_id);
      const measurement = await findMeasurement(tx, member_id);
      if (member?.account_status !== 'active' || measurement?.stage !== 'complete') return;
      const earned = measurement.is_flagged ? [] : await listEarned(tx, member_id);
      for (const offer of await lockLiveOffers(tx, { member_id, match_id: null }))
        if (!earned.some(({ about }) => about === offer.about))
          await endOffer(context, tx, offer, { state: 'withdrawn', reason: replaced_reason });
      for (const each of earned) await offerEarned(context, tx, member_id, each);
    }),
});

const replaced_reason = 'There is a newer result.';

async function listEarned(tx: Transaction, member_id: string): Promise<readonly Earned[]> {
  const completion = await findVerified(tx, member_id, 'assessment_completion');
  const archetype = await findVerified(tx, member_id, 'archetype_attestation');
  return [
    ...(completion
      ? [
          {
            credential_type: 'assessment_completion' as const,
            about: `assessment:${completion.assessment_completed_on}`,
            claims: completion,
          },
        ]
      : []),
    ...(archetype
      ? [
          {
            credential_type: 'archetype_attestation' as const,
            about: `archetype:${archetype.archetype}`,
            claims: archetype,
          },
        ]
      : []),
  ];
}

/** The claims that the service can verify now; undefined if the member has not consented, or the result is not certain enough. */
async function findVerified(
  tx: Transaction,
  member_id: string,
  credential_type: Earned['credential_type'],
): Promise<Claims | undefined> {
  try {
    return await attestClaims(tx, member_id, {
      credential_type,
      attestation_tier: 'platform_verified',
      claims: {},
    });
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** What the member has answered stays answered; what has expired or was withdrawn is offered again. */
async function offerEarned(
  context: TaskContext,
  tx: Transaction,
  member_id: string,
  earned: Earned,
): Promise<void> {
  const latest = await lockLatestOffer(tx, { member_id, about: earned.about });
  if (latest && (await isSettled(context, tx, latest))) return;
  const offer = await makeOffer(context, tx, {
    ...earned,
    id: randomUUID(),
    member_id,
    org_id: null,
    match_id: null,
    attestation_tier: 'platform_verified',
    expiry_days,
    opens_at: context.now(),
  });
  if (offer) await openOffer(context, tx, offer);
}

async function isSettled(context: TaskContext, tx: Transaction, offer: Offer): Promise<boolean> {
  if (isLive(offer.state) && offer.closes_at <= context.now()) {
    await endOffer(context, tx, offer, { state: 'withdrawn', reason: replaced_reason });
    return false;
  }
  if (offer.state === 'accepted') return isCredentialActive(context, tx, offer);
  return isLive(offer.state) || offer.state === 'declined';
}
