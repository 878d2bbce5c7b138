import { bravingDimensions, cvfQuadrants, type BravingDimension, type CvfQuadrant } from './questionnaire.ts';
import type { CultureBasis } from './rules.ts';
import type { Scores } from './score.ts';

/** A published culture profile in words, for people outside the organisation. */
export type CultureWords = {
  readonly basis: CultureBasis;
  readonly values: readonly string[];
  readonly trust: readonly string[];
};

const quadrantWords: Readonly<Record<CvfQuadrant, string>> = {
  clan: 'people and working together count most here',
  adhocracy: 'new ideas and trying things out count most here',
  market: 'results and reaching goals count most here',
  hierarchy: 'order and reliable processes count most here',
};

const valueSentences: Readonly<Record<CultureBasis, (words: string) => string>> = {
  measured: (words) => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`,
  declared: (words) => `By its own account, ${words}.`,
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

/** Who agrees or disagrees about trust. */
const speakers: Readonly<Record<CultureBasis, { readonly agree: string; readonly disagree: string }>> = {
  measured: { agree: 'People who work here agree', disagree: 'People who work here do not agree' },
  declared: {
    agree: 'The organisation says about itself',
    disagree: 'The organisation does not say about itself',
  },
};

/**
 * Describes a culture profile: the quadrants that count most (several if they are nearly equal, none if all four are), and the dimensions of
 * trust about which the respondents, or the organisation that declares, agree or disagree.
 */
export function describeCulture({
  basis,
  braving,
  cvf,
}: Scores & { readonly basis: CultureBasis }): CultureWords {
  const highest = Math.max(...cvfQuadrants.map((quadrant) => cvf[quadrant]));
  const leading = cvfQuadrants.filter((quadrant) => highest - cvf[quadrant] <= equal_share_max);
  return {
    basis,
    values: (leading.length < cvfQuadrants.length ? leading : []).map((quadrant) =>
      valueSentences[basis](quadrantWords[quadrant]),
    ),
    trust: bravingDimensions.flatMap((dimension) => describeTrust(basis, dimension, braving[dimension])),
  };
}

function describeTrust(basis: CultureBasis, dimension: BravingDimension, share: number): readonly string[] {
  const { agree, disagree } = speakers[basis];
  if (share >= agreement_min) return [`${agree} ${dimensionWords[dimension]}.`];
  if (share < disagreement_max) return [`${disagree} ${dimensionWords[dimension]}.`];
  return [];
}
