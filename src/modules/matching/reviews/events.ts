import { Type } from 'typebox';
import { event } from '#platform/queue/event.ts';
import { closedObject, uuid } from '#platform/schema.ts';

/** What has happened to a request, for those who get an email. */
export const reviewChanges = ['requested', 'due_soon', 'overdue', 'answered'] as const;

export type ReviewChange = (typeof reviewChanges)[number];

/** A member has asked for a human review of a match, its due date is near or has passed, or it was answered. */
export const reviewChanged = event(
  'reviews.review_changed',
  closedObject({
    review_id: uuid,
    match_id: uuid,
    job_id: uuid,
    org_id: uuid,
    member_id: uuid,
    change: Type.Enum([...reviewChanges]),
  }),
);
