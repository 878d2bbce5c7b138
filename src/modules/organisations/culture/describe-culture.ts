import { bravingDimensions, cvfQuadrants, type BravingDimension, type CvfQuadrant } from './questionnaire.ts';
import type { Scores } from './score.ts';

/** A published culture profile in words, for people outside the organisation. */
export type CultureWords = { readonly values: readonly string[]; readonly trust: readonly string[] };

const quadrantSentences: Readonly<Record<CvfQuadrant, string>> = {
  clan: 'People and working together count most here.',
  adhocracy: 'New ideas and trying things out count most here.',
  market: 'Results and reaching goals count most here.',
  hierarchy: 'Order and reliable processes count most here.',
};

const dimensionWords: Readonly<Record<BravingDimension, string>> = {
  boundaries: 'that a no is respected',
  reliability: 'that promises are kept',
  accountability: 'that mistakes are admitted and put right',
  vault: 'that what is said in confidence stays there',
  integrity: 'that people do what is right rather than what is easy',
  nonjudgment: 'that one can ask for help without being judged',
  generosity: 'that people assume good intentions',
};

/** The share from which respondents agree, and the share below which they do not. Half is neither agreement nor disagreement. */
const agreement_min = 0.6;
const disagreement_max = 0.4;

/** The most by which a quadrant may be below the first and still count as equal; a quarter is the average of the four. */
const equal_share_max = 0.02;

/**
 * Describes a culture profile: the quadrants that count most (several if they are nearly equal, none if all four are), and the dimensions of
 * trust about which the respondents agree or disagree.
 */
export function describeCulture({ braving, cvf }: Scores): CultureWords {
  const highest = Math.max(...cvfQuadrants.map((quadrant) => cvf[quadrant]));
  const leading = cvfQuadrants.filter((quadrant) => highest - cvf[quadrant] <= equal_share_max);
  return {
    values: (leading.length < cvfQuadrants.length ? leading : []).map(
      (quadrant) => quadrantSentences[quadrant],
    ),
    trust: bravingDimensions.flatMap((dimension) => describeTrust(dimension, braving[dimension])),
  };
}

function describeTrust(dimension: BravingDimension, share: number): readonly string[] {
  if (share >= agreement_min) return [`People who work here agree ${dimensionWords[dimension]}.`];
  if (share < disagreement_max) return [`People who work here do not agree ${dimensionWords[dimension]}.`];
  return [];
}
