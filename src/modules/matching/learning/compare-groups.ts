import { nil_uuid } from '#lib/nil-uuid.ts';
import { compareTiers, type FitPolicy } from '#modules/matching/matches';
import { listConsentedAnswers, listMembersWithAnswers } from '#modules/people/self-identification';
import type { Reader } from '#platform/database/database.ts';
import { computeImpactRatios, type GroupRatio } from './estimation/impact-ratios.ts';

const members_max = 2_000;

/**
 * Compares how a candidate and the live policy would select members who self-identified and consent to statistics, for active jobs. It does so with the
 * service's own privileges, apart from learning, and returns ratios of groups of at least ten only: no answer reaches the outcome model.
 */
export async function compareGroups(
  db: Reader,
  policies: { readonly live: FitPolicy; readonly candidate: FitPolicy },
): Promise<readonly GroupRatio[]> {
  const member_ids = await listMembersWithAnswers(db, nil_uuid, members_max);
  const answers = await listConsentedAnswers(db, member_ids);
  const selections = await compareTiers(
    db,
    answers.map(({ member_id }) => member_id),
    policies,
  );
  return computeImpactRatios(
    selections,
    new Map(answers.map(({ member_id, ...answer }) => [member_id, answer])),
  );
}
