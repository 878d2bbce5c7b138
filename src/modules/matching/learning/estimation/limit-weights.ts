/**
 * The largest total weight of the outcomes of one member, how alike the outcomes of one organisation are (the correlation between two of them, as for
 * ratings by the same people), and the largest share of all weight that one organisation has.
 */
export const respondentCaps = {
  member_weight: 6,
  organisation_correlation: 0.02,
  organisation_share: 0.1,
} as const;

/** The fewest organisations whose outcomes are learned from. */
export const organisations_min = 10;

export type Weighted = { readonly member_id: string; readonly org_id: string; readonly weight: number };

/**
 * Limits how much each member and each organisation counts. Members belong to a match of an organisation, so that many accounts of one campaign count
 * as one organisation. What w outcomes of an organisation say is as much as w / (1 + (w - 1) ρ) of different ones would (the design effect, Kish 1965), so at most
 * fifty. Returns the new weights; all are zero if there are fewer than ten organisations.
 */
export function limitWeights(outcomes: readonly Weighted[]): Float64Array {
  const ofMember = sumWeights(outcomes.map(({ member_id, weight }) => [member_id, weight]));
  const limited = outcomes.map(({ member_id, weight }) => {
    const total = ofMember.get(member_id)!;
    return total > respondentCaps.member_weight ? (weight * respondentCaps.member_weight) / total : weight;
  });
  const ofOrganisation = sumWeights(outcomes.map(({ org_id }, index) => [org_id, limited[index]!]));
  const effective = new Map(
    [...ofOrganisation].map(([org_id, weight]) => [org_id, computeEffective(weight)]),
  );
  const cap = computeOrganisationCap([...effective.values()].filter((weight) => weight > 0));
  return Float64Array.from(outcomes, ({ org_id }, index) => {
    const total = ofOrganisation.get(org_id)!;
    return total > 0 ? (limited[index]! * Math.min(cap, effective.get(org_id)!)) / total : 0;
  });
}

/** How many different outcomes say as much as the alike ones of one organisation. */
function computeEffective(weight: number): number {
  return weight / (1 + Math.max(0, weight - 1) * respondentCaps.organisation_correlation);
}

function sumWeights(pairs: readonly (readonly [string, number])[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const [key, weight] of pairs) sums.set(key, (sums.get(key) ?? 0) + weight);
  return sums;
}

/**
 * Finds the largest c with c <= share × Σ min(weight, c): the heaviest organisations count c each, so that none has more than its share. With exactly as many
 * organisations as the share needs, all count as much as the lightest.
 */
function computeOrganisationCap(weights: readonly number[]): number {
  if (weights.length < organisations_min) return 0;
  const sorted = weights.toSorted((one, other) => one - other);
  let rest = sorted.reduce((sum, weight) => sum + weight, 0);
  let capped = 0;
  // One after the other, the heaviest are cut to c = share × (c × capped + rest).
  for (let place = sorted.length - 1; place >= 0; place -= 1) {
    const free = 1 - respondentCaps.organisation_share * capped;
    const cap = free > 1e-9 ? (respondentCaps.organisation_share * rest) / free : sorted[place]!;
    if (sorted[place]! <= cap * (1 + 1e-12)) return cap;
    rest -= sorted[place]!;
    capped += 1;
  }
  return sorted[0]!;
}
