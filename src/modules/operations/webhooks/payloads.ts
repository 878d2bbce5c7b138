import { Type, type Static, type TSchema } from 'typebox';
import { writeCanonicalJson } from '#lib/canonical-json.ts';
import { closedObject, field, nullable, timestamp, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import { attestationTiers, credentialTypes } from '#modules/credentials/credentials';
import { test_event, webhookEvents, type WebhookEvent } from './rules.ts';

const sampleTimes = { issued: '2026-03-02T09:00:00.000Z', expires: '2027-03-02T09:00:00.000Z' };

const attestationData = closedObject({
  credential_id: field(uuid, 'The credential.', sampleIds.credential),
  credential_type: field(Type.Enum(credentialTypes), 'What the credential attests.', 'trait_attestation'),
  attestation_tier: field(Type.Enum(attestationTiers), 'Who attests it.', 'self_attested'),
  match_ids: field(
    Type.Array(uuid),
    'The accepted and placed matches of your organisation with the member who holds it.',
    [sampleIds.match],
  ),
  status: field(Type.Enum(['active', 'revoked']), 'The status after the event.', 'active'),
  issued_at: field(timestamp, 'When the credential was issued.', sampleTimes.issued),
  expires_at: field(timestamp, 'When the credential expires.', sampleTimes.expires),
  revoked_at: field(nullable(timestamp), 'When the credential was revoked; null if it is active.', null),
});

const matchFields = {
  match_id: field(uuid, 'The match.', sampleIds.match),
  job_id: field(uuid, 'The job of the match.', sampleIds.job),
  org_id: field(uuid, 'Your organisation.', sampleIds.organisation),
  member_id: field(
    uuid,
    'The member as your organisation may know them: an alias of this job until the member accepts, and then the id of the member.',
    sampleIds.member,
  ),
};

const matchStatusOfEvent = {
  'match.proposed': 'org_interested',
  'match.accepted': 'member_accepted',
  'match.declined': 'member_declined',
} as const;

const buildMatchSchema = (status: string) =>
  closedObject({
    ...matchFields,
    match_status: field(Type.Enum([status]), 'The status of the match after the event.', status),
  });

const placementData = closedObject({
  ...matchFields,
  outcome: field(Type.Enum(['placed', 'left', 'extended']), 'What became of the placement.', 'placed'),
  placed_at: field(timestamp, 'When the work started or will start.', '2026-03-16T00:00:00.000Z'),
  ended_at: field(
    nullable(timestamp),
    'When the placement ended or is planned to end; null if it has no end.',
    null,
  ),
});

type EventDescription = { readonly meaning: string; readonly data: TSchema };

/** What organisations receive about each event. */
const eventDescriptions: Readonly<Record<WebhookEvent, EventDescription>> = {
  'attestation.issued': {
    meaning:
      'A credential was issued to a member with whom your organisation has an accepted or placed match, and who shares credentials. Claims are never sent.',
    data: attestationData,
  },
  'attestation.revoked': {
    meaning:
      'A credential was revoked whose member has an accepted or placed match with your organisation and shares credentials.',
    data: attestationData,
  },
  'match.proposed': {
    meaning: 'Your organisation is interested in the member of a match.',
    data: buildMatchSchema(matchStatusOfEvent['match.proposed']),
  },
  'match.accepted': {
    meaning: 'The member accepted. From now on your organisation knows the id of the member.',
    data: buildMatchSchema(matchStatusOfEvent['match.accepted']),
  },
  'match.declined': {
    meaning: 'The member declined.',
    data: buildMatchSchema(matchStatusOfEvent['match.declined']),
  },
  'placement.created': {
    meaning: 'Your organisation recorded that the member was placed.',
    data: placementData,
  },
  'placement.updated': {
    meaning: 'Your organisation recorded that a placement was extended or has ended.',
    data: placementData,
  },
};

const testData = closedObject({
  subscription_id: field(uuid, 'The subscription that is tested.', 'f0e1d2c3-b4a5-4968-8776-655443322110'),
});

/** The body of a webhook. Every text in it consists of ASCII characters, so that all programs write the same canonical JSON. */
function buildBodySchema(type: string, data: TSchema) {
  return closedObject({
    id: field(uuid, 'The id of the event: the same for all subscriptions.', sampleIds.entry),
    type: field(Type.Enum([type]), 'The name of the event, as in X-Service-Event.', type),
    created_at: field(timestamp, 'When the event happened.', sampleTimes.issued),
    api_version: field(Type.Enum(['v1']), 'The version of the API whose ids the data has.', 'v1'),
    data,
  });
}

/** The webhooks of the API description: name, meaning and the schema of the body. */
export const webhookMessages = [
  ...webhookEvents.map((name) => ({
    name: name as string,
    meaning: eventDescriptions[name].meaning,
    body: buildBodySchema(name, eventDescriptions[name].data),
  })),
  {
    name: test_event as string,
    meaning: 'Sent by POST /webhooks/{subscription_id}/test, whatever the subscription subscribes to.',
    body: buildBodySchema(test_event, testData),
  },
];

/** The facts of an event of a match or its placement. */
export type MatchFacts = {
  readonly match_id: string;
  readonly job_id: string;
  readonly org_id: string;
  readonly shown_member_id: string;
  readonly outcome?: string;
  readonly placed_at?: string;
  readonly ended_at?: string | null;
};

/** Builds the data of an event of a match or its placement for the organisation. The real id of the member is never read here. */
export function buildMatchData(type: string, facts: MatchFacts): object {
  const { match_id, job_id, org_id, shown_member_id, outcome, placed_at, ended_at } = facts;
  const shown = { match_id, job_id, org_id, member_id: shown_member_id };
  const match_status = Object.hasOwn(matchStatusOfEvent, type)
    ? matchStatusOfEvent[type as keyof typeof matchStatusOfEvent]
    : undefined;
  return match_status === undefined ? { ...shown, outcome, placed_at, ended_at } : { ...shown, match_status };
}

/** The facts of a credential that organisations may learn. */
export type AttestationFacts = Omit<Static<typeof attestationData>, 'match_ids'>;

/** Builds the data of an attestation event for one organisation, from named fields only. */
export function buildAttestationData(facts: AttestationFacts, match_ids: readonly string[]): object {
  const { credential_id, credential_type, attestation_tier, status, issued_at, expires_at, revoked_at } =
    facts;
  return {
    credential_id,
    credential_type,
    attestation_tier,
    match_ids,
    status,
    issued_at,
    expires_at,
    revoked_at,
  };
}

/** Writes the body of a webhook as canonical JSON (RFC 8785): keys sorted, no spaces. These bytes are signed and sent. */
export function writeBody(event: {
  readonly id: string;
  readonly type: string;
  readonly created_at: Date;
  readonly data: object;
}): string {
  const { id, type, created_at, data } = event;
  return writeCanonicalJson({ id, type, created_at: created_at.toISOString(), api_version: 'v1', data });
}
