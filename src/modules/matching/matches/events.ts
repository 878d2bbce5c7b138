import { Type, type Static } from 'typebox';
import { sentEvent } from '#platform/queue/event.ts';
import { closedObject, field, nullable, timestamp, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';

const ids = {
  match_id: field(uuid, 'The match.', sampleIds.match),
  job_id: field(uuid, 'The job of the match.', sampleIds.job),
  org_id: field(uuid, 'Your organisation.', sampleIds.organisation),
};

/** `member_id` is for the service itself. An organisation receives `shown_member_id` in its place: an alias until both have agreed. */
const data = closedObject({ ...ids, member_id: uuid, shown_member_id: uuid });

const sentIds = {
  ...ids,
  member_id: field(
    uuid,
    'The member as your organisation may know them: an alias of this job until the member accepts, and then the id of the member.',
    sampleIds.member,
  ),
};

/** The real id of the member is never read here. */
function selectSentIds({ match_id, job_id, org_id, shown_member_id }: Static<typeof data>) {
  return { match_id, job_id, org_id, member_id: shown_member_id };
}

const describeStatus = <const Status extends string>(statuses: readonly [Status, ...Status[]]) =>
  field(Type.Enum(statuses), 'The status of the match after the event.', statuses[0]);

function describeMatchEvent<const Status extends string>(title: string, meaning: string, status: Status) {
  return {
    title,
    meaning,
    schema: closedObject({
      ...sentIds,
      match_status: describeStatus([status]),
    }),
    build: (facts: Static<typeof data>) => ({ ...selectSentIds(facts), match_status: status }),
  };
}

/** The organisation is interested in the member. */
export const matchProposed = sentEvent(
  'match.proposed',
  data,
  describeMatchEvent(
    'Your organisation is interested in a person',
    'Your organisation is interested in the member of a match.',
    'org_interested',
  ),
);

const withdrawnStatus = { match_status: describeStatus(['pending_review', 'org_passed']) };

/** The organisation has withdrawn an interest of which the member had been informed. */
export const interestWithdrawn = sentEvent(
  'match.interest_withdrawn',
  closedObject({ ...data.properties, ...withdrawnStatus }),
  {
    title: 'Your organisation has withdrawn its interest',
    meaning:
      'Your organisation has withdrawn its interest in the member of a match before the member answered.',
    schema: closedObject({ ...sentIds, ...withdrawnStatus }),
    build: ({ match_status, ...facts }) => ({ ...selectSentIds(facts), match_status }),
  },
);

/** The member accepted the match. */
export const matchAccepted = sentEvent(
  'match.accepted',
  data,
  describeMatchEvent(
    'A person has accepted',
    'The member accepted. From now on your organisation knows the id of the member.',
    'member_accepted',
  ),
);

/** The member declined the match. */
export const matchDeclined = sentEvent(
  'match.declined',
  data,
  describeMatchEvent('A person has declined', 'The member declined.', 'member_declined'),
);

/** A match ended because its member withdrew, after the organisation was interested. */
export const matchWithdrawn = sentEvent(
  'match.withdrawn',
  data,
  describeMatchEvent(
    'A person has withdrawn',
    'The member withdrew the consent to matching or asked for the deletion of the account, after your organisation was interested.',
    'withdrawn',
  ),
);

/** A match ended because its job was closed, after the organisation was interested. */
export const matchExpired = sentEvent(
  'match.expired',
  data,
  describeMatchEvent(
    'A match has ended with its job',
    'Your organisation closed the job of a match in which it was interested.',
    'expired',
  ),
);

const reopening = {
  reopened_from: field(
    Type.Enum(['org_passed', 'expired']),
    'What the match was before: passed by your organisation, or ended with its job.',
    'org_passed',
  ),
};

/** A match that had ended can be decided about again. */
export const matchReopened = sentEvent('match.reopened', closedObject({ ...data.properties, ...reopening }), {
  title: 'A match can be decided about again',
  meaning:
    'Your organisation took a pass back, or opened the job of an ended match again about which the member had asked for a human review. The match is pending as before.',
  schema: closedObject({ ...sentIds, match_status: describeStatus(['pending_review']), ...reopening }),
  build: ({ reopened_from, ...facts }) => ({
    ...selectSentIds(facts),
    match_status: 'pending_review' as const,
    reopened_from,
  }),
});

const placement = {
  outcome: field(Type.Enum(['placed', 'left', 'extended']), 'What became of the placement.', 'placed'),
  placed_at: field(timestamp, 'When the work started or will start.', '2026-03-16T00:00:00.000Z'),
  ended_at: field(
    nullable(timestamp),
    'When the placement ended or is planned to end; null if it has no end.',
    null,
  ),
};

const placementData = closedObject({ ...data.properties, ...placement });

function describePlacementEvent(title: string, meaning: string) {
  return {
    title,
    meaning,
    schema: closedObject({ ...sentIds, ...placement }),
    build: ({ outcome, placed_at, ended_at, ...facts }: Static<typeof placementData>) => ({
      ...selectSentIds(facts),
      outcome,
      placed_at,
      ended_at,
    }),
  };
}

/** A placement was recorded. */
export const placementCreated = sentEvent(
  'placement.created',
  placementData,
  describePlacementEvent(
    'A placement was recorded',
    'Your organisation recorded that the member was placed.',
  ),
);

/** A placement changed. */
export const placementUpdated = sentEvent(
  'placement.updated',
  placementData,
  describePlacementEvent(
    'A placement has changed',
    'Your organisation recorded that a placement was extended or has ended.',
  ),
);
