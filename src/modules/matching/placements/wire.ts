import { Type, type Static } from 'typebox';
import { closedObject, field, nullable, text, timestamp, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import {
  feedbackStages,
  outcomes,
  respondents,
  type Feedback,
  type OutcomeRecord,
  type Respondent,
  type Stage,
} from './rules.ts';

const reason_characters_max = 500;
const comment_characters_max = 2000;

const sampleTimes = { placed: '2026-03-16T00:00:00.000Z', opens: '2026-04-15T00:00:00.000Z' };

const outcome = field(
  Type.Enum(outcomes),
  'placed: the member took the job. not_placed: nothing came of it. extended: the placement continues beyond its planned end. left: it has ended.',
  'placed',
);

/** The fields of an outcome that a caller sends. */
export const outcomeInput = {
  outcome,
  placed_at: Type.Optional(
    nullable(
      field(
        timestamp,
        'When the work starts; now if it is left out. Stages count from here.',
        sampleTimes.placed,
      ),
    ),
  ),
  ended_at: Type.Optional(
    nullable(
      field(
        timestamp,
        'With placed and extended, when the placement is planned to end, if it is. With left, when it ended; now if it is left out.',
        '2027-03-15T00:00:00.000Z',
      ),
    ),
  ),
  reason: Type.Optional(
    nullable(
      field(
        text(reason_characters_max),
        'Why, in your own words. The member can read it.',
        'Starts as night nurse on ward four.',
      ),
    ),
  ),
};

/** The fields of a correction that a caller sends. */
export const correctionInput = {
  placed_at: field(timestamp, 'When the work really started.', sampleTimes.placed),
  reason: field(
    text(reason_characters_max),
    'Why the recorded date was wrong, in your own words. The member can read it.',
    'The contract began a week later than planned.',
  ),
};

/** A recorded outcome of a match. */
export const outcomeWire = closedObject(
  {
    id: field(uuid, 'The id of the record.', sampleIds.entry),
    match_id: uuid,
    outcome,
    match_status: field(Type.Enum(['placed', 'closed']), 'The status of the match after it.', 'placed'),
    placed_at: field(nullable(timestamp), 'When the work started; null with not_placed.', sampleTimes.placed),
    ended_at: field(
      nullable(timestamp),
      'When the placement ended or is planned to end; null if it has no end.',
      null,
    ),
    reason: field(
      nullable(Type.String()),
      'Why, in the words of the organisation; null if it gave none.',
      null,
    ),
    recorded_at: field(timestamp, 'When it was recorded.', '2026-03-10T09:00:00.000Z'),
    corrects_date: field(
      Type.Boolean(),
      'Whether it repeats the record before it with another placed_at, because that one was wrong.',
      false,
    ),
  },
  { $id: 'MatchOutcome' },
);

export function toOutcomeWire(match_id: string, record: OutcomeRecord): Static<typeof outcomeWire> {
  const { id, outcome: recorded, placed_at, ended_at, reason, recorded_at, corrects_date } = record;
  return {
    id,
    match_id,
    outcome: recorded,
    match_status: recorded === 'not_placed' ? 'closed' : 'placed',
    placed_at: placed_at?.toISOString() ?? null,
    ended_at: ended_at?.toISOString() ?? null,
    reason,
    recorded_at: recorded_at.toISOString(),
    corrects_date,
  };
}

const stage_days = field(Type.Enum(feedbackStages), 'How many days after the placement.', 30);

const rating = Type.Integer({ minimum: 1, maximum: 5 });

const ratings = {
  performance: [rating, 'How well the work is done: 1 is worst, 5 is best.', 4],
  belonging: [rating, 'How well the member belongs there: 1 is worst, 5 is best.', 5],
  growth: [rating, 'How much the member grows in the job: 1 is least, 5 is most.', 3],
} as const;

const overall_rating = field(rating, 'The placement as a whole: 1 is worst, 5 is best.', 4);
const would_repeat = field(Type.Boolean(), 'Whether this side would agree to the match again.', true);
const commentExample = 'The handover on the first day could be better prepared.';

/** The fields of feedback that a caller sends. */
export const feedbackInput = {
  stage_days,
  overall_rating,
  performance: Type.Optional(nullable(field(...ratings.performance))),
  belonging: Type.Optional(nullable(field(...ratings.belonging))),
  growth: Type.Optional(nullable(field(...ratings.growth))),
  would_repeat: Type.Optional(nullable(would_repeat)),
  comment: Type.Optional(
    nullable(
      field(text(comment_characters_max), 'Anything else. The other side can read it.', commentExample),
    ),
  ),
};

const respondent = field(Type.Enum(respondents), 'Which side gave it.', 'member');

/** The feedback of one side on one stage. */
export const feedbackWire = closedObject(
  {
    id: field(uuid, 'The id of the record.', sampleIds.entry),
    match_id: uuid,
    respondent,
    stage_days,
    overall_rating,
    performance: nullable(field(...ratings.performance)),
    belonging: nullable(field(...ratings.belonging)),
    growth: nullable(field(...ratings.growth)),
    would_repeat: nullable(would_repeat),
    comment: field(nullable(Type.String()), 'Anything else; null if there is none.', commentExample),
    created_at: field(timestamp, 'When it was given.', sampleTimes.opens),
  },
  { $id: 'MatchFeedback' },
);

export function toFeedbackWire(match_id: string, feedback: Feedback): Static<typeof feedbackWire> {
  return {
    id: feedback.id,
    match_id,
    respondent: feedback.respondent,
    stage_days: feedback.stage_days,
    overall_rating: feedback.overall_rating,
    performance: feedback.performance,
    belonging: feedback.belonging,
    growth: feedback.growth,
    would_repeat: feedback.would_repeat,
    comment: feedback.comment,
    created_at: feedback.created_at.toISOString(),
  };
}

/** All feedback on a match, and the stages at which it can be given. */
export const feedbackListWire = closedObject(
  {
    data: field(
      Type.Array(feedbackWire, { maxItems: feedbackStages.length * respondents.length }),
      'All feedback on the match, by stage.',
    ),
    stages: field(
      Type.Array(
        closedObject({
          stage_days,
          opens_at: field(timestamp, 'From when feedback on this stage is accepted.', sampleTimes.opens),
          given_by: field(Type.Array(Type.Enum(respondents)), 'The sides that have given it.', ['member']),
        }),
        { maxItems: feedbackStages.length },
      ),
      'The stages that the placement reaches; none without a placement, and none after its end.',
    ),
  },
  { $id: 'MatchFeedbackList' },
);

export function toFeedbackListWire(
  match_id: string,
  feedback: readonly Feedback[],
  stages: readonly Stage[],
): Static<typeof feedbackListWire> {
  const listGivers = (days: number): Respondent[] =>
    feedback.filter((each) => each.stage_days === days).map((each) => each.respondent);
  return {
    data: feedback.map((each) => toFeedbackWire(match_id, each)),
    stages: stages.map(({ stage_days: days, opens_at }) => ({
      stage_days: days,
      opens_at: opens_at.toISOString(),
      given_by: listGivers(days),
    })),
  };
}
