import { normalCdf } from './special-functions.ts';

/** The answers of two groups to one item at one level of the trait: how many gave each score, the lowest first. */
export type Stratum = { readonly reference: readonly number[]; readonly focal: readonly number[] };

/** How differently an item works for two groups of people with the same trait. */
export type ItemDifference = {
  /** The statistic of Mantel's test, with one degree of freedom. */
  readonly chi_square: number;
  readonly probability: number;
  /** The standardised mean difference, in standard deviations of the item: above zero if the focal group scores higher than equals of the other. */
  readonly effect: number;
};

/** `small`, `moderate` and `large` are the categories AA, BB and CC of ETS. */
export const itemClasses = ['small', 'moderate', 'large'] as const;

export type ItemClass = (typeof itemClasses)[number];

/**
 * Compares the answers of two groups to an item with ordered scores, among people with the same trait (differential item functioning): the test of Mantel
 * (1963), and the standardised mean difference of Dorans and Schmitt (1991) divided by the standard deviation of the item in both groups. In an adaptive
 * test, people with the same estimate of the trait are compared, because they had different items (Zwick, Thayer and Wingersky 1994). With two
 * scores, the statistic is the one of Mantel and Haenszel (1959) without the correction for continuity.
 *
 * @returns undefined if no level of the trait has people of both groups, or if all answers are the same.
 */
export function compareItem(strata: readonly Stratum[]): ItemDifference | undefined {
  let [deviation, variance, focal_people, standardised] = [0, 0, 0, 0];
  const pooled = createMoments();
  for (const { reference, focal } of strata) {
    const [r, f] = [sumMoments(reference), sumMoments(focal)];
    addMoments(pooled, r);
    addMoments(pooled, f);
    if (r.people === 0 || f.people === 0) continue;
    const people = r.people + f.people;
    const [sum, squares] = [r.sum + f.sum, r.squares + f.squares];
    deviation += f.sum - (f.people / people) * sum;
    if (people > 1)
      variance += ((r.people * f.people) / (people ** 2 * (people - 1))) * (people * squares - sum ** 2);
    focal_people += f.people;
    standardised += f.people * (f.sum / f.people - r.sum / r.people);
  }
  const spread = computeSpread(pooled);
  if (focal_people === 0 || variance <= 0 || spread === 0) return undefined;
  const chi_square = deviation ** 2 / variance;
  return {
    chi_square,
    probability: 2 * (1 - normalCdf(Math.sqrt(chi_square))),
    effect: standardised / focal_people / spread,
  };
}

type Moments = { people: number; sum: number; squares: number };

const createMoments = (): Moments => ({ people: 0, sum: 0, squares: 0 });

function sumMoments(counts: readonly number[]): Moments {
  const moments = createMoments();
  for (const [score, people] of counts.entries())
    addMoments(moments, { people, sum: people * score, squares: people * score ** 2 });
  return moments;
}

function addMoments(to: Moments, { people, sum, squares }: Readonly<Moments>): void {
  to.people += people;
  to.sum += sum;
  to.squares += squares;
}

function computeSpread({ people, sum, squares }: Moments): number {
  return people === 0 ? 0 : Math.sqrt(Math.max(0, squares / people - (sum / people) ** 2));
}

const significance = 0.05;
const moderate_effect = 0.17;
const large_effect = 0.25;

/**
 * Classifies a difference as ETS does for items with several scores (Zwick, Thayer and Mazzeo 1997; NAEP): `small` unless it is significant and larger than 0.17
 * standard deviations, and `large` if it is larger than 0.25.
 */
export function classifyItem({ probability, effect }: ItemDifference): ItemClass {
  const size = Math.abs(effect);
  if (probability >= significance || size <= moderate_effect) return 'small';
  return size <= large_effect ? 'moderate' : 'large';
}
