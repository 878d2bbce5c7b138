import { randomUUID } from 'node:crypto';
import { findJob } from '#modules/matching/jobs';
import { findMatch, type Match } from '#modules/matching/matches';
import { findLastOutcome } from '#modules/matching/placements';
import { findShownName } from '#modules/organisations/orgs';
import { lockMemberShared } from '#modules/people/members';
import type { Transaction } from '#platform/database/database.ts';
import { task, type TaskContext } from '#platform/queue/task.ts';
import { endAcceptedOffer, isCredentialActive } from '../end-accepted-offer.ts';
import { endOffer, makeOffer, openOffer } from '../open-offer.ts';
import { decidePlacementStep, isLive, toPlacementDays, type Offer, type PlacementFacts } from '../rules.ts';
import { lockLatestOffer } from '../store.ts';

/** A placement is a fact of the past, which does not grow old. */
export const placement_expiry_days = 3_650;

/**
 * Offers a placement that an organisation has recorded as a credential, after two weeks in which either side can say that it is wrong. A correction or the end
 * of the placement replaces what was offered; a credential that was accepted before is revoked, and offered again with what is true now.
 */
export const followPlacement = task<{ readonly match_id: string; readonly member_id: string }>({
  name: 'offers.followPlacement',
  retry_seconds: [10, 60, 300, 1800],
  group_by: ({ member_id }) => member_id,
  run: (context, { match_id, member_id }) =>
    context.database.transaction(async (tx) => {
      const member = await lockMemberShared(tx, member_id);
      const match = await findMatch(tx, match_id);
      const facts = match && (await findPlacementFacts(tx, match));
      if (member?.account_status !== 'active' || !match || !facts) return;
      const latest = await lockLatestOffer(tx, { member_id, about: namePlacement(match_id) });
      const step = decidePlacementStep(latest, facts, context.now());
      if (step.kind === 'nothing') return;
      if (latest && !(await endEarlier(context, tx, latest))) return;
      await offerPlacement(context, tx, { match, facts, opens_at: step.opens_at });
    }),
});

/** Names a placement among what is offered. */
export function namePlacement(match_id: string): string {
  return `placement:${match_id}`;
}

/** What is recorded about a placement now; undefined if there is none. */
export async function findPlacementFacts(tx: Transaction, match: Match): Promise<PlacementFacts | undefined> {
  const outcome = await findLastOutcome(tx, match);
  if (!outcome?.placed_at) return undefined;
  return { placed_at: outcome.placed_at, left_at: outcome.outcome === 'left' ? outcome.ended_at : null };
}

const changed_reason = 'The organisation has recorded a change of the placement.';

/** Ends what was offered before. False if the member has revoked the credential, and wants none. */
async function endEarlier(context: TaskContext, tx: Transaction, latest: Offer): Promise<boolean> {
  if (isLive(latest.state))
    await endOffer(context, tx, latest, { state: 'withdrawn', reason: changed_reason });
  if (latest.state !== 'accepted') return true;
  if (!(await isCredentialActive(context, tx, latest))) return false;
  await endAcceptedOffer(context, tx, latest, changed_reason);
  return true;
}

type Placement = { readonly match: Match; readonly facts: PlacementFacts; readonly opens_at: Date };

async function offerPlacement(
  context: TaskContext,
  tx: Transaction,
  { match, facts, opens_at }: Placement,
): Promise<void> {
  const { id: match_id, member_id, org_id, job_id } = match;
  const job = await findJob(tx, job_id);
  const organisation_name = await findShownName(tx, org_id);
  if (!job || organisation_name === undefined) return;
  const offer = await makeOffer(context, tx, {
    id: randomUUID(),
    member_id,
    org_id,
    match_id,
    credential_type: 'placement_attestation',
    attestation_tier: 'org_validated',
    about: namePlacement(match_id),
    claims: { job_title: job.title, organisation_name, ...toPlacementDays(facts) },
    expiry_days: placement_expiry_days,
    opens_at,
  });
  if (offer && opens_at <= context.now()) await openOffer(context, tx, offer);
}
