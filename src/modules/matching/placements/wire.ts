import { Type, type Static } from 'typebox';
import { closedObject, field, nullable, text, timestamp, uuid, toReply } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import { feedbackResource, feedbackStages, respondents, type Feedback, type Respondent } from './resource.ts';
import { outcomes, type OutcomeRecord, type Stage } from './rules.ts';

const reason_characters_max = 500;

const samplePlacedAt = '2026-03-16T00:00:00.000Z';

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
        samplePlacedAt,
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
  placed_at: field(timestamp, 'When the work really started.', samplePlacedAt),
  reason: field(
    text(reason_characters_max),
    'Why the recorded date was wrong, in your own words. The member can read it.',
    'The contract began a week later than planned.',
  ),
};

export const outcomeWire = closedObject(
  {
    id: field(uuid, 'The id of the record.', sampleIds.entry),
    match_id: uuid,
    outcome,
    match_status: field(Type.Enum(['placed', 'closed']), 'The status of the match after it.', 'placed'),
    placed_at: field(nullable(timestamp), 'When the work started; null with not_placed.', samplePlacedAt),
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

export function toOutcomeWire(match_id: string, record: OutcomeRecord) {
  const match_status = record.outcome === 'not_placed' ? 'closed' : 'placed';
  return toReply(outcomeWire, { ...record, match_id, match_status });
}

/** All feedback on a match, and the stages at which it can be given. */
export const feedbackListWire = closedObject(
  {
    data: field(
      Type.Array(feedbackResource.wire, { maxItems: feedbackStages.length * respondents.length }),
      'All feedback on the match, by stage.',
    ),
    stages: field(
      Type.Array(
        closedObject({
          stage_days: feedbackResource.fields.stage_days.schema,
          opens_at: field(
            timestamp,
            'From when feedback on this stage is accepted.',
            '2026-04-15T00:00:00.000Z',
          ),
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
  feedback: readonly Feedback[],
  stages: readonly Stage[],
): Static<typeof feedbackListWire> {
  const listGivers = (days: number): Respondent[] =>
    feedback.filter((each) => each.stage_days === days).map((each) => each.respondent);
  return {
    data: feedback.map(feedbackResource.toWire),
    stages: stages.map(({ stage_days, opens_at }) => ({
      stage_days,
      opens_at: opens_at.toISOString(),
      given_by: listGivers(stage_days),
    })),
  };
}
