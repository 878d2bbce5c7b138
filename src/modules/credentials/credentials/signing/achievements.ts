import type { Alignment, AttestationTier, Claims, CredentialType } from '../rules.ts';
import { buildAchievementUrl, buildBadgeImageUrl, type Issuer } from './issuer.ts';

/** What a badge says that its holder has done, in the words of its definition (Open Badges 3.0, class Achievement). */
export type Achievement = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** What a person has to do for it, in plain text. */
  readonly criteria: string;
  /** The address of its picture. */
  readonly image: string;
  /** A term of the standard's list. */
  readonly achievementType: 'Achievement' | 'Assessment' | 'Certificate' | 'Competency' | 'Fieldwork';
  readonly alignments: readonly Alignment[];
};

/** What decides which achievement a credential is about. */
export type AchievementKey = {
  readonly credential_type: CredentialType;
  readonly attestation_tier: AttestationTier;
};

/** The achievement of a type in a tier, as this service defines it. Its texts are short, because they are signed with every badge. */
export function describeAchievement(issuer: Issuer, key: AchievementKey): Achievement {
  const { credential_type, attestation_tier } = key;
  const { name, achievementType, description, criteria } = definitions[credential_type];
  const isOwnWord = attestation_tier === 'self_attested';
  return {
    id: buildAchievementUrl(issuer, key),
    name: isOwnWord ? `${name} (self-declared)` : name,
    description,
    criteria: isOwnWord ? sources.self_attested : `${criteria} ${sources[attestation_tier]}`,
    image: buildBadgeImageUrl(issuer, key),
    achievementType,
    alignments: [],
  };
}

/** The achievement that a credential is about: the one that its organisation has defined, or that of its type and tier. */
export function describeEarned(issuer: Issuer, key: AchievementKey, claims: Claims): Achievement {
  const common = describeAchievement(issuer, key);
  const { achievement_id, achievement_name, achievement_criteria, achievement_image, organisation_name } =
    claims;
  if (achievement_id === undefined || achievement_name === undefined) return common;
  return {
    ...common,
    id: `urn:uuid:${achievement_id}`,
    name: achievement_name,
    description: `An achievement that ${organisation_name ?? 'an organisation'} has defined.`,
    criteria: achievement_criteria ?? common.criteria,
    image: achievement_image ?? common.image,
    achievementType: 'Achievement',
    alignments: claims.achievement_alignment ?? [],
  };
}

type Definition = Pick<Achievement, 'name' | 'achievementType' | 'description' | 'criteria'>;

const definitions: Readonly<Record<CredentialType, Definition>> = {
  trait_attestation: {
    name: 'Measured traits',
    achievementType: 'Assessment',
    description: 'How many of twenty traits are measured, without any value.',
    criteria: 'Answer the items of the assessment.',
  },
  archetype_attestation: {
    name: 'Archetype',
    achievementType: 'Assessment',
    description: 'The typical way of working that is closest to the traits of the holder.',
    criteria: 'Complete the assessment with a certain result.',
  },
  assessment_completion: {
    name: 'Completed assessment',
    achievementType: 'Assessment',
    description: 'On which day the holder completed the assessment, without any result.',
    criteria: 'Complete the assessment.',
  },
  placement_attestation: {
    name: 'Placement in a job',
    achievementType: 'Fieldwork',
    description: 'In which job of which organisation the holder was placed.',
    criteria: 'Start in the job.',
  },
  org_validation: {
    name: 'Statement of an organisation',
    achievementType: 'Achievement',
    description: 'What an organisation says about the holder and their work, in its own words.',
    criteria: 'Do the work that the statement is about.',
  },
};

/** Who says that the criteria are met. */
const sources: Readonly<Record<AttestationTier, string>> = {
  self_attested: 'The holder says so, and nobody has checked it.',
  platform_verified: 'The records of the service say so.',
  org_validated: 'The organisation that is named says so.',
};

/** An achievement as JSON of the standard. */
export function toAchievementWire(achievement: Achievement) {
  const { id, name, description, criteria, image, achievementType, alignments } = achievement;
  return {
    id,
    type: ['Achievement'],
    achievementType,
    name,
    description,
    criteria: { narrative: criteria },
    image: { id: image, type: 'Image' },
    ...(alignments.length > 0 && {
      alignment: alignments.map((alignment) => ({ type: ['Alignment'], ...alignment })),
    }),
  };
}

/** The name of an achievement with the job that it is about. Only for a reader who may see the claims. */
export function formatAchievementTitle({ name }: Pick<Achievement, 'name'>, { job_title }: Claims): string {
  return job_title === undefined ? name : `${name} · ${job_title}`;
}

/** Who vouches for a credential, as the name of an organisation: the one that it names, or this service. */
export function findVoucher({ url }: Issuer, { attestation_tier }: AchievementKey, claims: Claims): string {
  const { organisation_name } = claims;
  return attestation_tier === 'org_validated' && organisation_name !== undefined
    ? organisation_name
    : `Tessera at ${new URL(url).host}`;
}
