import { cvfQuadrants, type CultureBasis, type CvfQuadrant } from '#modules/organisations/culture';
import { traitCodes, traitNames, type TraitCode, type TraitPriorities } from '#modules/measurement/traits';
import type { ConfidenceLevel, MatchQuality, Values } from '#modules/matching/engine';
import type { BasedCulture, Belonging, BelongingLabel } from '../belonging.ts';
import { integrityTraits } from './described-traits.ts';
import type { Explanation, TraitState } from './explanation.ts';
import { formatStanding, listQuestions } from './standing-words.ts';
import type { Standing } from './standings.ts';
import { traitSentences, type Reader } from './trait-sentences.ts';

/** An explanation in words for one reader. It contains no digits and no numbers in words. */
export type ExplanationWords = {
  readonly top_strengths: string[];
  readonly growth_areas: string[];
  readonly belonging_breakdown: Belonging;
  /** What the culture profile is based on that belonging was computed from; null if there was none. */
  readonly belonging_basis: CultureBasis | null;
  readonly confidence_statement: string;
  /** Whether it follows from parameters that are not yet calibrated. */
  readonly provisional: boolean;
  readonly summary_text: string;
  /** What the organisation reads in detail about the three to five traits that the job asks for most; null if it does not. */
  readonly standings: DetailedStanding[] | null;
  /** At most two questions for a conversation, about what is not clear. */
  readonly questions: string[];
};

type DetailedStanding = Pick<Standing, 'standing' | 'side'> & {
  readonly trait: TraitCode;
  readonly reason: string;
};

/** The labels of a match and the facts that explain them. */
export type ExplainedMatch = Explanation & {
  readonly match_quality: MatchQuality;
  readonly confidence_level: ConfidenceLevel;
  /** The priorities of the job, as the organisation set them. */
  readonly trait_priorities: TraitPriorities;
  /** The values that the member has stated. Only the member's own text mentions them. */
  readonly values: Values | null;
  readonly culture: BasedCulture | undefined;
};

/**
 * Who reads an explanation, whether the member has agreed to be known to this reader, which a member always has, and whether the organisation reads it in
 * detail.
 */
export type ExplanationReader = {
  readonly reader: Reader;
  readonly has_agreed: boolean;
  readonly is_detailed: boolean;
};

/**
 * Formats an explanation for a reader as fixed sentences. They contain no text that a user wrote, so that no one can insert content into
 * them. The organisation's text about the member is the same whatever the member's integrity, because silence about it would say as much
 * as a sentence. Before the member has agreed, the organisation reads only about the two traits that the job asks for most, or in detail about three to five:
 * all strengths of a job that asks for everything would nearly be the person's profile. It reads traits in the order of its own priorities: the order of contributions may
 * change with each version of the policy, and every change would tell something about the size of the traits.
 */
export function formatExplanation(
  match: ExplainedMatch,
  { reader, has_agreed, is_detailed }: ExplanationReader,
): ExplanationWords {
  const { belonging, culture_basis, match_quality, confidence_level } = match;
  const priorities = describePriorities(match, { reader, is_detailed });
  const described = has_agreed ? traitCodes : priorities.map(({ code }) => code);
  const maySay = (code: TraitCode) => described.includes(code) && mayBeDescribed(code, reader);
  const selectNamed = (codes: readonly TraitCode[]) =>
    sortForReader(codes.filter(maySay), match, reader).slice(0, traits_max);
  const strengths = selectNamed(match.strengths);
  const growth = selectNamed(match.growth);
  return {
    top_strengths: strengths.map((code) => traitSentences[code].strength[reader]),
    growth_areas: growth.map((code) => traitSentences[code].growth[reader]),
    belonging_breakdown: belonging,
    belonging_basis: culture_basis,
    confidence_statement: confidenceStatements[confidence_level],
    provisional: match.provisional,
    summary_text: [
      summaries[match_quality][reader],
      ...formatPriorities(priorities),
      formatWeighed(match),
      strengths.length > 0
        ? `${strengthWords[reader]} ${formatTraitList(strengths)}.`
        : withoutStrengths[reader],
      growth.length > 0 ? `${growthWords[reader]} ${formatTraitList(growth)}.` : '',
      reader === 'member' ? formatStatedValues(match) : '',
      formatBelonging(belonging, reader),
      culture_basis ? basisSentences[culture_basis] : '',
    ]
      .filter((sentence) => sentence !== '')
      .join(' '),
    standings: is_detailed
      ? match.standings.map((described) => {
          const { code, standing, side } = described;
          return { trait: code, standing, side, reason: formatStanding(described) };
        })
      : null,
    questions: is_detailed ? listQuestions(match.standings) : [],
  };
}

function sortForReader(
  codes: readonly TraitCode[],
  { trait_priorities }: ExplainedMatch,
  reader: Reader,
): readonly TraitCode[] {
  if (reader === 'member') return codes;
  const askedOrder = traitCodes.toSorted(
    (one, other) => (trait_priorities[other] ?? 0) - (trait_priorities[one] ?? 0),
  );
  return askedOrder.filter((code) => codes.includes(code));
}

const traits_max = 3;

/** Whether a reader learns anything about a trait. */
export function mayBeDescribed(code: TraitCode, reader: Reader): boolean {
  return reader === 'member' || !integrityTraits.has(code);
}

const summaries: Readonly<Record<MatchQuality, Readonly<Record<Reader, string>>>> = {
  exceptional: {
    member:
      'An exceptional match: taken together, you have much more of what this job asks for than most people.',
    organisation:
      'An exceptional match: taken together, this person has much more of what this job asks for than most people.',
  },
  strong: {
    member: 'A strong match: taken together, you have more of what this job asks for than most people.',
    organisation:
      'A strong match: taken together, this person has more of what this job asks for than most people.',
  },
  moderate: {
    member: 'A moderate match: taken together, you have rather more of what this job asks for than average.',
    organisation:
      'A moderate match: taken together, this person has rather more of what this job asks for than average.',
  },
  developing: {
    member: 'A match to grow into: some of what this job asks for can still develop, or is not certain yet.',
    organisation:
      'A developing match: some of what this job asks for can still develop, or has not been measured with certainty yet.',
  },
};

/** Summarises how well a match fits, in a sentence to its member. */
export function summariseFit(match_quality: keyof typeof summaries): string {
  return summaries[match_quality].member;
}

/**
 * Names the traits that the job asks for most, and says of each what is known about the member. Where a reader learns nothing about a trait, the
 * text says so and does not name it as what the job asks for most: that would draw attention to what is withheld.
 */
function formatPriorities(states: readonly DescribedPriority[]): readonly string[] {
  const described = states.filter(({ state }) => state !== 'not_described').map(({ code }) => code);
  const sentences = states.map(({ reason }) => reason);
  if (described.length === 0) return sentences;
  const asks =
    described.length === states.length ? 'This job asks' : 'Of what is described here, this job asks';
  return [`${asks} most for ${formatTraitList(described)}.`, ...sentences];
}

/** What a reader learns about a trait that the job asks for most, and the sentence that says it. Without details, it has no standing. */
export type DescribedPriority = {
  readonly code: TraitCode;
  readonly state: TraitState | 'not_described';
  readonly standing: Standing['standing'] | null;
  readonly side: Standing['side'];
  readonly reason: string;
};

/** Describes what is known about the traits that the job asks for most: exactly what the text of the explanation says. */
export function describePriorities(
  { priorities, standings }: Pick<ExplainedMatch, 'priorities' | 'standings'>,
  { reader, is_detailed }: Pick<ExplanationReader, 'reader' | 'is_detailed'>,
): readonly DescribedPriority[] {
  const described = priorities.map(({ code, state }) => describePriority(code, state, reader));
  if (reader === 'member' || !is_detailed) return described;
  return [...described.filter(({ state }) => state === 'not_described'), ...standings.map(describeInDetail)];
}

function describePriority(code: TraitCode, state: TraitState, reader: Reader): DescribedPriority {
  const [standing, side] = [null, null];
  return mayBeDescribed(code, reader)
    ? { code, state, standing, side, reason: priorityStates[state][reader](traitNames[code]) }
    : {
        code,
        state: 'not_described',
        standing,
        side,
        reason: `${traitNames[code]} is better judged in conversations and from references than from an assessment.`,
      };
}

const clearStates = {
  far_above: 'strength',
  above: 'strength',
  below: 'growth',
  far_below: 'growth',
} as const;

function describeInDetail(described: Standing): DescribedPriority {
  const { code, standing, side } = described;
  const state = standing !== 'clear' || side === null || side === 'middle' ? 'unclear' : clearStates[side];
  return { code, state, standing, side, reason: formatStanding(described) };
}

/** Says which traits count more or less than the organisation has set, in the same words to both readers: it is about the job. */
function formatWeighed({ weighed: { more, less } }: ExplainedMatch): string {
  const parts = [
    more.length > 0 ? `${formatTraitList(more)} ${more.length > 1 ? 'count' : 'counts'} more` : '',
    less.length > 0 ? `${formatTraitList(less)} ${less.length > 1 ? 'count' : 'counts'} less` : '',
  ].filter((part) => part !== '');
  return parts.length === 0
    ? ''
    : `Because of what became of earlier placements, ${parts.join(' and ')} in this match than the priorities that the organisation has set.`;
}

const priorityStates: Readonly<Record<TraitState, Readonly<Record<Reader, (name: string) => string>>>> = {
  strength: {
    member: (name) => `${name} is above average in you.`,
    organisation: (name) => `${name} is above average in this person.`,
  },
  unclear: {
    member: (name) => `${name} is neither clearly above nor clearly below average in you.`,
    organisation: (name) => `${name} is neither clearly above nor clearly below average in this person.`,
  },
  growth: {
    member: (name) => `${name} is something that you can develop.`,
    organisation: (name) => `${name} is something that this person can develop.`,
  },
};

const strengthWords = {
  member: 'Your main strengths for this job:',
  organisation: 'Main strengths of this person for this job:',
} as const;

const withoutStrengths = {
  member: 'None of your traits stands out for this job; the match is based on all of them together.',
  organisation: 'No trait that is described here stands out; the match is based on all traits together.',
} as const;

const growthWords = { member: 'Room to grow:', organisation: 'Worth discussing:' } as const;

/** How probable it is that the tier of a match is the same after another assessment. */
export const confidenceStatements: Readonly<Record<ConfidenceLevel, string>> = {
  high: 'Another assessment would very probably lead to the same tier.',
  medium: 'Another assessment would probably lead to the same tier.',
  low: 'Another assessment could well lead to a neighbouring tier.',
};

const quadrantWords: Readonly<Record<CvfQuadrant, string>> = {
  clan: 'people and belonging',
  adhocracy: 'new ideas and change',
  market: 'results and competition',
  hierarchy: 'order and reliability',
};

/** Compares what the member has stated as most important with what the organisation values most. Says nothing if either has a tie. */
function formatStatedValues({ values, culture }: ExplainedMatch): string {
  const stated = values && findLargest(values);
  if (!stated) return '';
  const claim = `You said that ${quadrantWords[stated]} matter most to you`;
  const valued = culture && findLargest(culture.cvf);
  if (!valued) return `${claim}.`;
  const { same, other } = statedValues[culture.basis];
  return `${claim}${stated === valued ? same : other(quadrantWords[valued])}.`;
}

/** How the values of an organisation are compared with those that a member has stated. */
const statedValues: Readonly<
  Record<CultureBasis, { readonly same: string; readonly other: (words: string) => string }>
> = {
  measured: {
    same: ', as they do in this organisation',
    other: (words) => `; this organisation values ${words} most`,
  },
  declared: {
    same: ', and this organisation says the same about itself',
    other: (words) => `; this organisation says that it values ${words} most`,
  },
};

function findLargest(values: Values): CvfQuadrant | undefined {
  const largest = Math.max(...cvfQuadrants.map((quadrant) => values[quadrant]));
  const found = cvfQuadrants.filter((quadrant) => values[quadrant] === largest);
  return found.length === 1 ? found[0] : undefined;
}

function formatBelonging({ authenticity, acceptance, complementarity }: Belonging, reader: Reader): string {
  if (authenticity === 'unknown' || acceptance === 'unknown' || complementarity === 'unknown')
    return reader === 'member'
      ? 'How well you would belong can be described once the organisation has a culture profile.'
      : 'How well this person would belong can be described once the organisation has a culture profile.';
  const [who, verb] = reader === 'member' ? (['you', 'need'] as const) : (['this person', 'needs'] as const);
  return [
    authenticities[authenticity](who),
    acceptances[acceptance](`${who} ${verb}`),
    complementarities[complementarity](formatCapitalised(who)),
  ].join(' ');
}

/** Says what the sentences about belonging are based on, in the same words to both readers: it is about the organisation. */
const basisSentences: Readonly<Record<CultureBasis, string>> = {
  measured: 'What is said about the organisation is what people who work there have answered.',
  declared:
    'What is said about the organisation is what it declares about itself; it has not been measured by the answers of the people who work there.',
};

type BelongingSentences = Readonly<Record<Exclude<BelongingLabel, 'unknown'>, (who: string) => string>>;

const authenticities: BelongingSentences = {
  high: (who) => `What the organisation values is close to what matters to ${who}.`,
  moderate: (who) => `What the organisation values overlaps with what matters to ${who}.`,
  low: (who) => `What the organisation values differs from what matters to ${who}.`,
};

const acceptances: BelongingSentences = {
  high: (needs) => `The organisation has the trust that ${needs} to do well.`,
  moderate: (needs) => `The organisation has most of the trust that ${needs} to do well.`,
  low: (needs) => `The organisation lacks some of the trust that ${needs} to do well.`,
};

const complementarities: BelongingSentences = {
  high: (who) => `${who} would add much to what the organisation already has.`,
  moderate: (who) => `${who} would add something to what the organisation already has.`,
  low: (who) => `${who} would add little to what the organisation already has.`,
};

const traitList = new Intl.ListFormat('en-GB');

function formatTraitList(codes: readonly TraitCode[]): string {
  return traitList.format(codes.map(formatTrait));
}

function formatTrait(code: TraitCode): string {
  return traitNames[code].toLowerCase();
}

function formatCapitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
