import type { AttestationTier, Claims, CredentialType } from '../rules.ts';
import { buildAchievementUrl, buildBadgeImageUrl, type Issuer } from './issuer.ts';

/** What a badge says that its holder has done, in the words of its definition (Open Badges 3.0, class Achievement). */
export type Achievement = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** What a person has to do for it, in plain text. */
  readonly criteria: string;
  /** The address of its picture, a PNG. */
  readonly image: string;
  /** A term of the standard's list. */
  readonly achievementType: 'Achievement' | 'Assessment' | 'Certificate' | 'Competency' | 'Fieldwork';
  readonly alignments: readonly Alignment[];
};

/** A place in a framework of skills or occupations that an achievement corresponds to. */
export type Alignment = {
  readonly targetName: string;
  readonly targetUrl: string;
  readonly targetFramework?: string;
  readonly targetCode?: string;
};

/** What decides which achievement a credential is about. */
export type AchievementKey = {
  readonly credential_type: CredentialType;
  readonly attestation_tier: AttestationTier;
};

/** The achievement of a type in a tier, as this service defines it. */
export function describeAchievement(issuer: Issuer, key: AchievementKey): Achievement {
  const { credential_type, attestation_tier } = key;
  const { name, achievementType, description, criteria } = definitions[credential_type];
  return {
    id: buildAchievementUrl(issuer, key),
    name: attestation_tier === 'self_attested' ? `${name} (self-declared)` : name,
    description: `${description} ${voucherWords[attestation_tier]}`,
    criteria: `${criteria} ${criteriaWords[attestation_tier]}`,
    image: buildBadgeImageUrl(issuer, key),
    achievementType,
    alignments: [],
  };
}

type Definition = Pick<Achievement, 'name' | 'achievementType' | 'description' | 'criteria'>;

const definitions: Readonly<Record<CredentialType, Definition>> = {
  trait_attestation: {
    name: 'Measured traits',
    achievementType: 'Assessment',
    description:
      'Says how many of the twenty traits of a person are measured, and reveals the value of none.',
    criteria: 'The holder has answered items of the assessment.',
  },
  archetype_attestation: {
    name: 'Archetype',
    achievementType: 'Assessment',
    description: 'Names the archetype, a typical way of working, that is closest to the traits of a person.',
    criteria: 'The holder has an archetype, or states one.',
  },
  assessment_completion: {
    name: 'Completed assessment',
    achievementType: 'Assessment',
    description: 'Says that a person has completed the assessment, and on which day. It reveals no result.',
    criteria: 'The holder has answered all items that the assessment asks for.',
  },
  placement_attestation: {
    name: 'Placement in a job',
    achievementType: 'Fieldwork',
    description: 'Says that a person was placed in a job of an organisation.',
    criteria: 'The holder has started in the job.',
  },
  org_validation: {
    name: 'Statement of an organisation',
    achievementType: 'Achievement',
    description: 'Has what an organisation says about a person and their work, in its own words.',
    criteria: 'The organisation has made the statement.',
  },
};

/** Who stands behind the content. */
const voucherWords: Readonly<Record<AttestationTier, string>> = {
  self_attested: 'It is the statement of the holder alone, and nobody has checked it.',
  platform_verified: 'The service compared it with its own measurements and records.',
  org_validated: 'The organisation that it names vouches for it, and the service has not checked it.',
};

const criteriaWords: Readonly<Record<AttestationTier, string>> = {
  self_attested: 'No evidence is asked for: the holder states it, and the service signs that they did.',
  platform_verified: 'The service signs it only if its own records say so.',
  org_validated: 'The service signs it when the organisation says so.',
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
    image: { id: image, type: 'Image', caption: name },
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
