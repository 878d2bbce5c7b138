import { Refusal } from '#lib/refusal.ts';
import { findReadConsent } from '#modules/people/consent';
import { findMember, type Member } from '#modules/people/members';
import { findLatestVector } from '#modules/measurement/traits';
import type { Reader } from '#platform/database/database.ts';
import { computeLegibilityFromFacts, type Legibility } from './rules.ts';

/**
 * Computes how complete, confident and queryable a member's identity is, and the multiplier of the price of a read. Nothing of it but the price may
 * reach an organisation.
 *
 * @throws Refusal `member_not_found`.
 */
export async function computeLegibility(db: Reader, member_id: string): Promise<Legibility> {
  const [member, vector, { consent_level, approved }] = await Promise.all([
    findMember(db, member_id),
    findLatestVector(db, member_id),
    findReadConsent(db, member_id),
  ]);
  if (!member) throw new Refusal('member_not_found');
  return computeLegibilityFromFacts({
    confidences: vector?.variance.map((variance) => Math.min(1, Math.max(0, 1 - variance))) ?? [],
    assessment_complete: vector !== undefined && !vector.preliminary,
    filled_share: computeFilledShare(member),
    consented: consent_level === 'selective' || consent_level === 'full',
    approved,
  });
}

/** The fields that engagement level 4 requires. */
function computeFilledShare(member: Member): number {
  const fields = [
    member.current_industry,
    member.years_experience,
    member.education_level,
    member.location_country,
  ];
  return fields.filter((value) => value !== null).length / fields.length;
}
