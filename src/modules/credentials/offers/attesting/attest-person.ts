import { hash, randomUUID } from 'node:crypto';
import { createFieldRefusal, Refusal } from '#lib/refusal.ts';
import {
  buildImageUrl,
  describeAlignments,
  markAchievementsOffered,
  type Achievement,
} from '#modules/credentials/achievements';
import type { Claims } from '#modules/credentials/credentials';
import { findJob } from '#modules/matching/jobs';
import type { Match } from '#modules/matching/matches';
import { recordCallerAudit } from '#modules/operations/audit';
import type { Transaction } from '#platform/database/database.ts';
import type { Context } from '#platform/operation.ts';
import { findPlacementFacts, namePlacement, placement_expiry_days } from '../earning/follow-placement.ts';
import { isCredentialActive } from '../end-accepted-offer.ts';
import { endOffer, makeOffer, openOffer } from '../open-offer.ts';
import { computeOfferStatus, toPlacementDays, type attestedTypes, type Offer } from '../rules.ts';
import { lockLatestOffer } from '../store.ts';
import { findSubject, type SubjectName } from './find-subject.ts';

/** What an organisation says about a person. */
export type Attestation = SubjectName & {
  readonly credential_type: (typeof attestedTypes)[number];
  readonly achievement: Achievement | undefined;
  readonly claims: Pick<Claims, 'statement' | 'job_title'>;
  readonly expiry_days?: number | undefined;
  readonly external_ref?: string | null;
  readonly metadata?: Offer['metadata'];
};

type AttestingContext = Pick<Context<'org_admin'>, 'caller' | 'config' | 'now' | 'queue'>;

const usual_expiry_days = 365;

/**
 * Offers a person what the organisation says about them. The organisation is locked, and may vouch.
 *
 * @throws Refusal if the person is not known to the organisation, or the same was offered before. Nothing is written then.
 */
export async function attestPerson(
  context: AttestingContext,
  tx: Transaction,
  attestation: Attestation,
): Promise<Offer> {
  const { credential_type, achievement, external_ref = null, metadata = {} } = attestation;
  const { org_id } = context.caller;
  const match = await findSubject(tx, org_id, attestation);
  const content = await buildContent(context, tx, match, attestation);
  await endEarlier(context, tx, match.member_id, content.about);
  const made = await makeOffer(context, tx, {
    id: randomUUID(),
    member_id: match.member_id,
    org_id,
    match_id: match.id,
    credential_type,
    attestation_tier: 'org_validated',
    ...content,
    external_ref,
    metadata,
    opens_at: context.now(),
  });
  if (!made) throw new Refusal('credential_offer_exists');
  if (achievement) await markAchievementsOffered(tx, [achievement.id]);
  const opened = await openOffer(context, tx, made);
  await recordCallerAudit(context, tx, {
    action: 'offers.offered',
    member_id: match.member_id,
    org_id,
    detail: { offer_id: opened.id, credential_type, ...(achievement && { achievement_id: achievement.id }) },
  });
  return opened;
}

type Content = Pick<Offer, 'about' | 'claims' | 'expiry_days'>;

async function buildContent(
  { caller, config }: AttestingContext,
  tx: Transaction,
  match: Match,
  { credential_type, achievement, claims, expiry_days }: Attestation,
): Promise<Content> {
  if (credential_type === 'placement_attestation')
    return {
      about: namePlacement(match.id),
      claims: await buildPlacementClaims(tx, match),
      expiry_days: expiry_days ?? placement_expiry_days,
    };
  const days = { expiry_days: expiry_days ?? usual_expiry_days };
  if (!achievement) return { ...days, about: nameStatement(caller.org_id, claims), claims };
  const { id, name, criteria, image_type, alignments } = achievement;
  const described = {
    achievement_id: id,
    achievement_name: name,
    achievement_criteria: criteria,
    ...(image_type !== null && { achievement_image: buildImageUrl(config.publicUrl, id) }),
    ...(alignments.length > 0 && { achievement_alignment: describeAlignments(alignments) }),
  };
  return { ...days, about: `achievement:${id}`, claims: { ...described, ...claims } };
}

async function buildPlacementClaims(tx: Transaction, match: Match): Promise<Claims> {
  const facts = match.match_status === 'placed' ? await findPlacementFacts(tx, match) : undefined;
  const job = await findJob(tx, match.job_id);
  if (!facts || !job)
    throw new Refusal('outcome_conflict', {
      detail: 'No placement is recorded. Record it first, with POST /matches/{match_id}/outcome.',
    });
  return { job_title: job.title, ...toPlacementDays(facts) };
}

function nameStatement(org_id: string, { statement = '', job_title = '' }: Attestation['claims']): string {
  return `statement:${org_id}:${hash('sha256', JSON.stringify([statement, job_title]))}`;
}

/** What waits for its two weeks is offered at once instead. @throws Refusal `credential_offer_exists` for what was answered, or still can be. */
async function endEarlier(
  context: AttestingContext,
  tx: Transaction,
  member_id: string,
  about: string,
): Promise<void> {
  const latest = await lockLatestOffer(tx, { member_id, about });
  if (!latest) return;
  const status = computeOfferStatus(latest, context.now());
  if (status === 'waiting' || status === 'expired')
    await endOffer(context, tx, latest, { state: 'withdrawn', reason: 'It is offered again.' });
  if (status === 'open') throw new Refusal('credential_offer_exists');
  if (status === 'declined' || status === 'disputed')
    throw new Refusal('credential_offer_exists', { detail: `The member has ${status} the same offer.` });
  if (status === 'accepted' && (await isCredentialActive(context, tx, latest)))
    throw new Refusal('credential_offer_exists', { detail: 'The member holds this credential.' });
}

/**
 * Checks what can be said with each type.
 *
 * @throws Refusal `field_invalid`, which names the field.
 */
export function checkContent({
  credential_type,
  achievement_id,
  claims = {},
}: {
  readonly credential_type: Attestation['credential_type'];
  readonly achievement_id?: unknown;
  readonly claims?: Attestation['claims'];
}): void {
  const isPlacement = credential_type === 'placement_attestation';
  if (isPlacement && achievement_id !== undefined)
    throw createFieldRefusal(
      'field_invalid',
      '/achievement_id',
      'must be left out for the type placement_attestation',
    );
  if (isPlacement && Object.keys(claims).length > 0)
    throw createFieldRefusal(
      'field_invalid',
      '/claims',
      'must be left out for the type placement_attestation: the service adds what is recorded',
    );
  if (!isPlacement && achievement_id === undefined && claims.statement === undefined)
    throw createFieldRefusal('field_invalid', '/claims/statement', 'is required without an achievement');
}
