import { Type } from 'typebox';
import { editable, fixed, resource, type Row } from '#platform/resource.ts';
import { field, nullable, text, timestamp, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';

/** How many days after the placement both sides are asked for feedback. */
export const feedbackStages = [30, 90, 180] as const;

export type FeedbackStage = (typeof feedbackStages)[number];

/** The two sides of a match. All administrators of an organisation answer as one side. */
export const respondents = ['member', 'organisation'] as const;

export type Respondent = (typeof respondents)[number];

const comment_characters_max = 2000;
const commentExample = 'The handover on the first day could be better prepared.';

const buildRating = (description: string, example: number) =>
  field(Type.Integer({ minimum: 1, maximum: 5 }), description, example);

const performance = buildRating('How well the work is done: 1 is worst, 5 is best.', 4);
const belonging = buildRating('How well the member belongs there: 1 is worst, 5 is best.', 5);
const growth = buildRating('How much the member grows in the job: 1 is least, 5 is most.', 3);
const would_repeat = field(Type.Boolean(), 'Whether this side would agree to the match again.', true);

/** The answers of one side about one stage. Nothing changes them. */
export const feedbackResource = resource(
  { table: 'match_feedback', $id: 'MatchFeedback' },
  {
    id: fixed(field(uuid, 'The id of the record.', sampleIds.entry)),
    match_id: fixed(uuid),
    job_id: fixed(uuid, { hidden: true }),
    respondent: fixed(field(Type.Enum(respondents), 'Which side gave it.', 'member')),
    stage_days: editable(field(Type.Enum(feedbackStages), 'How many days after the placement.', 30)),
    overall_rating: editable(buildRating('The placement as a whole: 1 is worst, 5 is best.', 4)),
    performance: editable(nullable(performance), { default: null }),
    belonging: editable(nullable(belonging), { default: null }),
    growth: editable(nullable(growth), { default: null }),
    would_repeat: editable(nullable(would_repeat), { default: null }),
    comment: editable(
      field(nullable(Type.String()), 'Anything else; null if there is none.', commentExample),
      {
        input: nullable(
          field(text(comment_characters_max), 'Anything else. The other side can read it.', commentExample),
        ),
        default: null,
      },
    ),
    created_at: fixed(field(timestamp, 'When it was given.', '2026-04-15T00:00:00.000Z'), { as: 'time' }),
  },
);

export type Feedback = Row<typeof feedbackResource>;
