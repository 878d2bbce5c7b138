import { continuousTraits, traitFamilies, type ContinuousTrait, type TraitCode } from './taxonomy.ts';

/** The correlation of two traits of one family, and of different families, where nothing better is known. */
export const assumedCorrelation = { within_family: 0.4, across_families: 0.1 } as const;

/** The covariance that knows only the families: the prior of the first parameters, which score old answers. */
export const familyCovariance: readonly (readonly number[])[] = continuousTraits.map((row) =>
  continuousTraits.map((column) => assumeCorrelation(row, column)),
);

function assumeCorrelation(row: ContinuousTrait, column: ContinuousTrait): number {
  if (row === column) return 1;
  const isSameFamily = Object.values(traitFamilies).some(
    (codes: readonly TraitCode[]) => codes.includes(row) && codes.includes(column),
  );
  return isSameFamily ? assumedCorrelation.within_family : assumedCorrelation.across_families;
}

/**
 * The judged correlations of each trait with the traits before it, in the order of the traits. They come from 2,600 people who answered the
 * SAPA Personality Inventory (Condon 2018): those of the scales nearest to our traits (`nearestScales` in `bench/lib/answers.ts`), as
 * `estimateCorrelations` finds them, moved towards the assumed ones where a scale is near in part only. A found correlation has the weight
 * of its two traits multiplied: 1 for a close scale, 0.7 for one that is close in part, 0.4 for a weak one, 0 for none. `npm run bench --
 * real-people` computes them again. The smallest eigenvalue is 0.23.
 */
const judgedCorrelations: Readonly<Record<ContinuousTrait, readonly number[]>> = {
  pressure_response: [],
  ambiguity_tolerance: [0.4],
  change_agility: [0.41, 0.4],
  recovery_resilience: [0.53, 0.4, 0.3],
  analytical_depth: [0, 0.1, 0.12, -0.04],
  exploratory_curiosity: [0.12, 0.1, 0.28, 0.05, 0.43],
  structure_preference: [0.04, 0.1, -0.07, 0.1, 0.09, 0.06],
  collaborative_orientation: [0.18, 0.1, 0.25, 0.08, -0.02, 0.08, 0.04],
  social_initiative: [0.24, 0.1, 0.32, 0.08, 0.17, 0.36, 0.04, 0.43],
  empathic_attunement: [-0.15, 0.1, 0.05, -0.23, 0.21, 0.14, 0.08, 0.24, 0.17],
  achievement_drive: [-0.07, 0.1, -0.08, -0.02, 0.16, 0.14, 0.32, -0.01, 0.13, 0.13],
  autonomy_drive: [0.13, 0.1, 0.18, 0.05, 0.18, 0.25, -0.08, 0.03, 0.19, -0.1, 0.2],
  purpose_orientation: [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.4, 0.4],
  persistence: [0.16, 0.1, 0.14, 0.18, 0.03, 0.13, 0.51, 0.14, 0.29, 0.15, 0.4, 0.07, 0.4],
  sincerity: [0.08, 0.1, 0.1, 0.08, 0.14, 0.09, 0.28, 0.05, 0.01, 0.41, 0.14, -0.04, 0.1, 0.41],
  fair_dealing: [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.4],
  accountability: [
    0.08, 0.1, 0.02, 0.14, 0.12, 0.06, 0.19, 0.01, 0.02, 0.09, 0.14, 0.05, 0.1, 0.19, 0.4, 0.4,
  ],
  discretion: [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.4, 0.4, 0.4],
};

/** The judged covariance of the continuous traits, 1 on the diagonal: the prior until answers have calibrated it. */
export const judgedCovariance: readonly (readonly number[])[] = continuousTraits.map((row, place) =>
  continuousTraits.map((column, other) => {
    if (place === other) return 1;
    return place > other ? judgedCorrelations[row][other]! : judgedCorrelations[column][place]!;
  }),
);
