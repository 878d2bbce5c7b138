import { Type, type Static } from 'typebox';
import { closedObject, timestamp, uuid } from '#platform/schema.ts';
import { confidenceLevels, matchQualities, type ConfidenceLevel, type MatchQuality } from './engine/tiers.ts';
import { belongingLabels } from './explanations/belonging.ts';
import { confidenceStatements } from './explanations/explanation-words.ts';
import { matchStatuses, type MatchStatus } from './lifecycle/rules.ts';

/** The Match resource. It contains labels and no number: the numbers behind the labels never leave the service. */
export const matchWire = closedObject({
  id: uuid,
  member_id: uuid,
  job_id: uuid,
  org_id: uuid,
  match_quality: Type.Enum(matchQualities),
  match_status: Type.Enum(matchStatuses),
  computed_at: timestamp,
});

type MatchFields = {
  readonly id: string;
  readonly member_id: string;
  readonly job_id: string;
  readonly org_id: string;
  readonly match_quality: MatchQuality;
  readonly match_status: MatchStatus;
  readonly computed_at: Date;
};

export function toWire(match: MatchFields): Static<typeof matchWire> {
  const { id, member_id, job_id, org_id, match_quality, match_status, computed_at } = match;
  return {
    id,
    member_id,
    job_id,
    org_id,
    match_quality,
    match_status,
    computed_at: computed_at.toISOString(),
  };
}

/** Text of an explanation. The schema of the reply rejects any digit. */
const words = Type.String({ pattern: '^\\D*$' });

const belongingLabel = Type.Enum(belongingLabels);

/** The explanation of a match. */
export const explanationWire = closedObject(
  {
    match_id: uuid,
    top_strengths: Type.Array(words),
    growth_areas: Type.Array(words),
    belonging_breakdown: closedObject({
      authenticity: belongingLabel,
      acceptance: belongingLabel,
      complementarity: belongingLabel,
    }),
    confidence_statement: Type.Enum(Object.values(confidenceStatements)),
    summary_text: words,
  },
  { $id: 'MatchExplanation' },
);

/** The task that generates an explanation. */
export const explanationTaskWire = closedObject(
  { task_id: uuid, status: Type.Enum(['queued', 'running']) },
  { $id: 'ExplanationTask' },
);

/** A match in its member's list. */
export const memberMatchWire = closedObject(
  {
    id: uuid,
    job_title: Type.String(),
    org_name: Type.String(),
    match_tier: Type.Enum(matchQualities),
    confidence_level: Type.Enum(confidenceLevels),
    status: Type.Enum(matchStatuses),
    created_at: timestamp,
  },
  { $id: 'MemberMatch' },
);

type MemberMatchFields = Pick<MatchFields, 'id' | 'match_quality' | 'match_status'> & {
  readonly job_title: string;
  readonly org_name: string;
  readonly confidence_level: ConfidenceLevel;
  readonly created_at: Date;
};

export function toMemberWire(match: MemberMatchFields): Static<typeof memberMatchWire> {
  const { id, job_title, org_name, match_quality, confidence_level, match_status, created_at } = match;
  return {
    id,
    job_title,
    org_name,
    match_tier: match_quality,
    confidence_level,
    status: match_status,
    created_at: created_at.toISOString(),
  };
}
