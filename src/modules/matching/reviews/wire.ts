import { Type } from 'typebox';
import { closedObject, field, nullable, text, timestamp, uuid, toReply } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import { isOverdue, reviewOutcomes, reviewStatuses, type Review } from './rules.ts';

const reason_characters_max = 1000;
const answer_characters_max = 2000;

const date = Type.String({ format: 'date' });

/** What the member asks, in a request. */
export const reasonInput = Type.Optional(
  nullable(
    field(
      text(reason_characters_max),
      'What should be looked at, in your own words. The organisation reads it, and an administrator of the service can.',
      'My years as a paramedic are missing from the picture.',
    ),
  ),
);

export const answerInput = {
  outcome: field(
    Type.Enum(reviewOutcomes),
    'upheld: a person has looked, and the decision stays. changed: a person has looked, and decided otherwise.',
    'upheld',
  ),
  answer: field(
    text(answer_characters_max),
    'What was looked at, by whom, and why it was decided so. The member reads it.',
    'The head of the ward has read your profile again. The job needs experience at night, which decides here.',
  ),
};

const fields = {
  id: field(uuid, 'The id of the request.', sampleIds.entry),
  match_id: uuid,
  status: field(
    Type.Enum(reviewStatuses),
    'open: it waits for an answer. ended: the member has withdrawn the consent to matching.',
    'open',
  ),
  is_overdue: field(Type.Boolean(), 'Whether it is open after the due date.', false),
  reason: field(nullable(Type.String()), 'What the member asks; null if they gave no words.', null),
  requested_on: field(date, 'The date (UTC) of the request.', '2026-03-02'),
  due_on: field(date, 'The last date (UTC) on which an answer is in time.', '2026-03-16'),
  outcome: field(nullable(Type.Enum(reviewOutcomes)), 'What was decided; null before the answer.', null),
  answer: field(nullable(Type.String()), 'The answer of the organisation; null before it.', null),
  closed_on: field(
    nullable(date),
    'The date (UTC) on which it was answered or ended; null while open.',
    null,
  ),
};

/** A request for a human review of a match. Organisations know no time of a single member, so it has dates. */
export const reviewWire = closedObject(fields, { $id: 'MatchReview' });

/** The same in a list, with its job. */
export const listedReviewWire = closedObject(
  { ...fields, job_id: uuid, job_title: field(Type.String(), 'The title of the job.', 'Night nurse') },
  { $id: 'ListedMatchReview' },
);

/** An overdue request as an operator sees it. */
export const overdueReviewWire = closedObject(
  {
    id: fields.id,
    org_id: uuid,
    organisation: field(Type.String(), 'The name of the organisation.', 'River Murray Trust'),
    requested_at: field(timestamp, 'When the member asked.', '2026-03-02T09:00:00.000Z'),
    due_on: fields.due_on,
  },
  { $id: 'OverdueReview' },
);

export function toReviewWire(match_id: string, review: Review, now: Date) {
  const { requested_at, due_at, closed_at } = review;
  return toReply(reviewWire, {
    ...review,
    match_id,
    is_overdue: isOverdue(review, now),
    requested_on: formatDate(requested_at),
    due_on: formatDueDate(due_at),
    closed_on: closed_at && formatDate(closed_at),
  });
}

/** Formats the last day on which an answer is in time: a request is due when that day ends. */
export function formatDueDate(due_at: Date): string {
  return formatDate(new Date(due_at.getTime() - 1));
}

function formatDate(time: Date): string {
  return time.toISOString().slice(0, 10);
}
