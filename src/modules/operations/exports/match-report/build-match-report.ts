import type { Static } from 'typebox';
import { formatExternalId } from '#lib/external-id.ts';
import { matchQualities } from '#modules/matching/engine';
import type { Job } from '#modules/matching/jobs';
import { formatHandle, type explanationWire, type MatchView } from '#modules/matching/matches';
import { traitCodes, traitNames } from '#modules/measurement/traits';
import { formatUtcDate } from '#platform/format-utc-time.ts';

/** A label and its value, which may be a step of a scale. */
type ReportRow = {
  readonly label: string;
  readonly value: string;
  readonly scale?: { readonly steps: number; readonly reached: number | undefined };
};

/** A part of a report: labels with their values, sentences, or both. */
export type ReportPart = {
  readonly heading: string;
  readonly rows: readonly ReportRow[];
  readonly sentences: readonly string[];
};

/** What a report is built from. The explanation is absent once the member has withdrawn. */
export type MatchReportSources = {
  readonly match: MatchView;
  readonly is_alias: boolean;
  readonly job: Job;
  readonly org_name: string;
  readonly explanation: Static<typeof explanationWire> | undefined;
  /** What the organisation did with the match, oldest first. */
  readonly changes: readonly { readonly to: string; readonly on: Date }[];
};

/**
 * Builds the report of a match as an organisation may read it: labels and words, never a number about the member. The only times are those of
 * the organisation's own acts, and the date that all matches of the job share.
 */
export function buildMatchReport(sources: MatchReportSources): readonly ReportPart[] {
  return [
    buildOverview(sources),
    buildExplanation(sources),
    ...(sources.explanation ? [buildBelonging(sources.explanation)] : []),
    buildJob(sources.job),
    buildTimeline(sources),
    { heading: 'How to read this report', rows: [], sentences: reading },
  ];
}

function buildOverview({ match, is_alias, job, org_name }: MatchReportSources): ReportPart {
  return {
    heading: 'The match',
    rows: [
      { label: 'Job', value: `${job.title} (${formatExternalId('JOB', job.id)})` },
      { label: 'Organisation', value: org_name },
      { label: is_alias ? 'Member, by alias' : 'Member', value: nameMember(match) },
      { label: 'Match', value: formatExternalId('MATCH', match.id) },
      { label: 'Tier', value: formatWord(match.match_quality), scale: placeOn(tiers, match.match_quality) },
      { label: 'Status', value: statusWords[match.match_status] },
    ],
    sentences: match.provisional
      ? [
          'The tier is provisional: it follows from a measurement whose parameters are not yet calibrated with the answers of enough people.',
        ]
      : [],
  };
}

/** The tiers and the levels of belonging, from the least to the most. */
const tiers = matchQualities.toReversed();
const levels = ['low', 'moderate', 'high'] as const;

/** Where a word is on its scale; nowhere if it is not on it. */
function placeOn(scale: readonly string[], word: string): Required<ReportRow>['scale'] {
  const place = scale.indexOf(word);
  return { steps: scale.length, reached: place < 0 ? undefined : place + 1 };
}

const statusWords: Readonly<Record<MatchView['match_status'], string>> = {
  pending_review: 'Waits for the decision of the organisation',
  org_interested: 'The organisation is interested; the member has not answered',
  member_accepted: 'Both sides have agreed',
  org_passed: 'The organisation has passed',
  member_declined: 'The member has declined',
  placed: 'Placed',
  closed: 'Closed by the organisation',
  expired: 'Expired, because the job was closed',
  withdrawn: 'Withdrawn by the member',
};

function buildExplanation({ explanation }: MatchReportSources): ReportPart {
  const heading = 'Why this match';
  if (!explanation)
    return {
      heading,
      rows: [],
      sentences: [
        'The member does not take part in matching now, so the explanation is no longer available.',
      ],
    };
  const { top_strengths, growth_areas, questions, confidence_statement, summary_text } = explanation;
  return {
    heading,
    rows: [
      ...top_strengths.map((value, index) => ({ label: index === 0 ? 'Strengths' : '', value })),
      ...growth_areas.map((value, index) => ({ label: index === 0 ? 'Worth discussing' : '', value })),
      ...questions.map((value, index) => ({ label: index === 0 ? 'To ask in a conversation' : '', value })),
      { label: 'Confidence', value: confidence_statement },
    ],
    sentences: [summary_text],
  };
}

function buildBelonging({
  belonging_breakdown,
  belonging_basis,
}: Static<typeof explanationWire>): ReportPart {
  const { authenticity, acceptance, complementarity } = belonging_breakdown;
  return {
    heading: 'Belonging',
    rows: [
      describeBelonging('Can be themselves', authenticity),
      describeBelonging('Is accepted as they are', acceptance),
      describeBelonging('Adds what is missing', complementarity),
    ],
    sentences: belonging_basis === null ? [] : [basisSentences[belonging_basis]],
  };
}

const basisSentences = {
  measured:
    'This compares the member with what the users of the organisation have answered about its culture.',
  declared:
    'This compares the member with the culture that the organisation has declared; it has not been measured by the answers of its users.',
} as const;

function describeBelonging(label: string, level: keyof typeof belongingWords): ReportRow {
  return { label, value: belongingWords[level], scale: placeOn(levels, level) };
}

const belongingWords = {
  high: 'Likely',
  moderate: 'Possible',
  low: 'Unlikely',
  unknown: 'Not known yet',
} as const;

function buildJob(job: Job): ReportPart {
  const asked = traitCodes
    .filter((code) => (job.trait_priorities[code] ?? 0) > 0)
    .toSorted((one, other) => (job.trait_priorities[other] ?? 0) - (job.trait_priorities[one] ?? 0))
    .map((code) => traitNames[code].toLowerCase());
  return {
    heading: 'The job',
    rows: [
      { label: 'Outcome', value: job.outcome_description },
      { label: 'Asks most for', value: asked.join(', ') },
      { label: 'Place of work', value: formatWord(job.remote_policy) },
      { label: 'Clearance', value: formatWord(job.clearance_required) },
      ...formatSalary(job),
      { label: 'Job status', value: formatWord(job.status) },
    ],
    sentences: [],
  };
}

function formatSalary({ salary_min, salary_max, salary_currency }: Job): ReportPart['rows'] {
  const bounds = [salary_min, salary_max].filter((bound) => bound !== null);
  if (bounds.length === 0 || salary_currency === null) return [];
  const amounts = bounds.map((bound) => bound.toLocaleString('en'));
  return [{ label: 'Salary a year', value: `${salary_currency} ${amounts.join(' to ')}` }];
}

function buildTimeline({ match, changes }: MatchReportSources): ReportPart {
  const steps = [
    { on: match.computed_at, value: 'The matches of the job were computed last.' },
    ...changes.map(({ to, on }) => ({ on, value: actWords[to] ?? `The status was set to ${to}.` })),
  ];
  return {
    heading: 'Timeline',
    // The computation has a day and no time, which makes it the first of that day.
    rows: steps
      .toSorted((one, other) => one.on.getTime() - other.on.getTime())
      .map(({ on, value }) => ({ label: formatUtcDate(on), value })),
    sentences: [
      'The timeline has the acts of the organisation that its audit log still holds. Times of the member’s acts are not recorded for organisations.',
    ],
  };
}

const actWords: Readonly<Record<string, string>> = {
  org_interested: 'The organisation expressed its interest.',
  org_passed: 'The organisation passed.',
  placed: 'The organisation recorded the placement.',
  closed: 'The organisation closed the match.',
};

const reading: readonly string[] = [
  'Tiers and belonging are words by design: the service shows organisations no score, rank or number about a member. A tier says how well the way of working of a person suits the job, and nothing about their worth.',
  'Until both sides have agreed, the member appears under an alias that is different for every job.',
];

/** Names the member as the console does: by name once both have agreed, and before by letters of the alias. */
function nameMember({ member_id, member_name }: MatchView): string {
  return member_name ?? formatHandle('Person', member_id);
}

function formatWord(word: string): string {
  const words = word.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
