import { Type } from 'typebox';
import { closedObject, field, nullable, timestamp, uuid, toReply } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import {
  type ConfidenceLevel,
  type MatchQuality,
  confidenceLevels,
  matchQualities,
} from '#modules/matching/engine';
import { certainties, traitCodes } from '#modules/measurement/traits';
import { cultureBasis } from '#modules/organisations/culture';
import { belongingLabels } from './belonging.ts';
import { confidenceStatements } from './explanations/explanation-words.ts';
import { standingSides } from './explanations/standings.ts';
import { matchStatuses, type MatchStatus } from './rules.ts';

const provisional = field(
  Type.Boolean(),
  'Whether the tier follows from a measurement whose parameters are not yet calibrated with the answers of enough people.',
  true,
);

/** The Match resource. It contains labels and no number: the numbers behind the labels never leave the service. */
export const matchWire = closedObject(
  {
    id: field(uuid, 'The id of the match.', sampleIds.match),
    member_id: field(
      uuid,
      'The id of the member. For the organisation, an alias that is different for every job and every version of its requirements, until both have agreed.',
      sampleIds.member,
    ),
    member_name: field(
      nullable(Type.String()),
      'For administrators and viewers of the organisation, the name that the member uses, while both share their contact; otherwise null.',
      null,
    ),
    job_id: uuid,
    org_id: uuid,
    match_quality: Type.Enum(matchQualities),
    match_status: Type.Enum(matchStatuses),
    provisional,
    computed_at: field(
      timestamp,
      'When the match was computed. For the organisation, the date on which the matches of the job were computed, the same for all of them.',
      '2026-03-02T00:00:00.000Z',
    ),
  },
  { $id: 'Match', description: 'A match.' },
);

type MatchFields = {
  readonly id: string;
  readonly member_id: string;
  readonly member_name?: string | null;
  readonly job_id: string;
  readonly org_id: string;
  readonly match_quality: MatchQuality;
  readonly match_status: MatchStatus;
  readonly provisional: boolean;
  readonly computed_at: Date;
};

export function toWire(match: MatchFields) {
  return toReply(matchWire, { member_name: null, ...match });
}

/** Text of an explanation. The schema of the reply rejects any digit. */
const words = Type.String({ pattern: '^\\D*$' });

const belongingLabel = Type.Enum(belongingLabels);

/** How far a trait is known, and on which side, as an organisation reads it in detail. */
export const standingFields = {
  standing: field(
    nullable(Type.Enum(certainties)),
    '`clear` if the bounds of the measurement support the side, `likely` if its probability is at least nine in ten, else `open`; null without details.',
    'clear',
  ),
  side: field(
    nullable(Type.Enum(standingSides)),
    'Above the average, below it, far above or below it, or in the broad middle; null if it is open, and without details.',
    'above',
  ),
};

/** The explanation of a match. */
export const explanationWire = closedObject(
  {
    match_id: uuid,
    top_strengths: field(Type.Array(words), 'What speaks most for this match.', [
      'Takes problems apart before solving them',
    ]),
    growth_areas: field(Type.Array(words), 'What is worth discussing.', [
      'Working under changing priorities',
    ]),
    belonging_breakdown: field(
      closedObject({
        authenticity: field(belongingLabel, 'How well the member could be themselves there.', 'high'),
        acceptance: field(belongingLabel, 'How well the member would be accepted as they are.', 'moderate'),
        complementarity: field(
          belongingLabel,
          'How well the member would add what is missing there.',
          'high',
        ),
      }),
      'How well the member would belong in the organisation.',
    ),
    belonging_basis: nullable(cultureBasis),
    confidence_statement: field(
      Type.Enum(Object.values(confidenceStatements)),
      'How probable it is that another assessment gives the same tier.',
    ),
    provisional: field(
      Type.Boolean(),
      'Whether the explanation follows from a measurement whose parameters are not yet calibrated with the answers of enough people.',
      true,
    ),
    summary_text: field(
      words,
      'The explanation in a few sentences.',
      'This is a strong match. Main strengths for this job: analytical depth and persistence.',
    ),
    standings: field(
      nullable(
        Type.Array(
          closedObject({
            trait: field(Type.Enum(traitCodes), 'A trait that the job asks for most.', 'persistence'),
            ...standingFields,
            reason: field(
              words,
              'Why, in a sentence.',
              'Persistence: the answers place this person clearly above average.',
            ),
          }),
        ),
      ),
      'What the organisation reads in detail about the three to five traits that the job asks for most, in its words; null if it does not. An organisation reads details about a person in one job a year, and about the people of a job from its first look at them on.',
      [],
    ),
    questions: field(
      Type.Array(words),
      'At most two questions for a conversation, about what is open or only likely.',
      ['Which tedious task did you finish, which did you give up, and why?'],
    ),
  },
  { $id: 'MatchExplanation' },
);

/** The task that generates an explanation. */
export const explanationTaskWire = closedObject(
  {
    task_id: uuid,
    status: field(Type.Enum(['queued', 'running']), 'Whether the explanation is being written already.'),
  },
  { $id: 'ExplanationTask' },
);

export const memberMatchWire = closedObject(
  {
    id: field(uuid, 'The id of the match.', sampleIds.match),
    job_title: Type.String(),
    org_name: field(Type.String(), 'The name of the organisation.', 'River Murray Trust'),
    match_tier: field(Type.Enum(matchQualities), 'How well you fit the job.', 'strong'),
    confidence_level: field(
      Type.Enum(confidenceLevels),
      'How probable it is that another assessment gives the same tier. It does not say how well you are known: `traits` does.',
      'high',
    ),
    preliminary: field(
      Type.Boolean(),
      'Whether the assessment is not complete, so that further answers can change the tier. Only the member sees this.',
      false,
    ),
    provisional,
    status: field(Type.Enum(matchStatuses), 'Where the match is in its life.', 'org_interested'),
    created_at: timestamp,
  },
  { $id: 'MemberMatch' },
);

type MemberMatchFields = Pick<MatchFields, 'id' | 'match_quality' | 'match_status' | 'provisional'> & {
  readonly job_title: string;
  readonly org_name: string;
  readonly confidence_level: ConfidenceLevel;
  readonly created_at: Date;
};

export function toMemberWire(match: MemberMatchFields, preliminary: boolean) {
  const { match_quality, match_status } = match;
  return toReply(memberMatchWire, { ...match, match_tier: match_quality, preliminary, status: match_status });
}
