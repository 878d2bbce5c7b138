import { Type, type Static } from 'typebox';
import { archetypeCodes, familyNames } from '#modules/measurement/archetypes';
import { closedObject, field, nullable, text, timestamp, uuid, toReply } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import { formNames, type Credential } from './signing/signed-forms.ts';
import {
  attestationTiers,
  credentialStatuses,
  credentialTypes,
  computeCredentialStatus,
  visibilities,
  type Claims,
} from './rules.ts';
import type { Verification } from './verification/verify-token.ts';

const sampleImage = `https://tessera.example/achievement-images/${sampleIds.entry}`;

const buildDayClaim = (meaning: string) =>
  field(
    Type.String({ format: 'date', maxLength: 10 }),
    `${meaning}. The service adds it; a request cannot.`,
    '2026-03-16',
  );

const claimFields = {
  archetype_family: Type.Optional(Type.Enum(familyNames)),
  archetype: Type.Optional(Type.Enum(archetypeCodes)),
  archetype_certainty: Type.Optional(
    field(
      Type.Enum(['high', 'medium']),
      'How certain the family of the archetype is. The service adds it where it has measured the member; a request cannot.',
      'medium',
    ),
  ),
  trait_coverage: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'The share of the twenty traits that are measured.',
      examples: [0.9],
    }),
  ),
  assessment_completed_on: Type.Optional(
    field(
      Type.String({ format: 'date', maxLength: 10 }),
      'The day on which the assessment was completed.',
      '2026-03-04',
    ),
  ),
  job_title: Type.Optional(text(200)),
  organisation_name: Type.Optional(field(text(200), 'The name of the organisation.', 'River Murray Trust')),
  statement: Type.Optional(
    field(
      text(500),
      'What an organisation says about the member.',
      'Led the sampling of 40 sites without a missed day.',
    ),
  ),
  organisation_domain: Type.Optional(
    field(
      Type.String({ maxLength: 253 }),
      'A domain that the organisation has proven. The service adds it; a request cannot.',
      'rivermurraytrust.example',
    ),
  ),
  placed_on: Type.Optional(buildDayClaim('The day on which the placement began')),
  ended_on: Type.Optional(buildDayClaim('The day on which the placement ended')),
  achievement_id: Type.Optional(
    field(uuid, 'The achievement, as its organisation has defined it.', sampleIds.entry),
  ),
  achievement_name: Type.Optional(field(text(100), 'The name of the achievement.', 'Field team lead')),
  achievement_criteria: Type.Optional(
    field(text(1000), 'What somebody does to earn the achievement.', 'Led a field team for a season.'),
  ),
  achievement_image: Type.Optional(
    field(Type.String({ maxLength: 500 }), 'The URL of the picture of the achievement.', sampleImage),
  ),
  achievement_alignment: Type.Optional(
    field(
      Type.Array(
        closedObject({
          targetName: field(text(200), 'What the framework calls it.', 'Registered Nurses'),
          targetUrl: field(
            Type.String({ maxLength: 200 }),
            'Where it is described.',
            'https://www.onetonline.org/link/summary/29-1141.00',
          ),
          targetFramework: field(text(20), 'The framework: ESCO or O*NET.', 'O*NET'),
          targetCode: Type.Optional(
            field(text(20), 'Its code, where the URL is not the code.', '29-1141.00'),
          ),
        }),
        { minItems: 1, maxItems: 10 },
      ),
      'What the achievement corresponds to in frameworks of skills and occupations (Open Badges 3.0, class Alignment). The service adds it; a request cannot.',
    ),
  ),
};

/** The claims of a request or a record. Which of them a credential may have depends on its type. */
export const claimsWire = Type.Unsafe<Claims>(
  closedObject(claimFields, {
    examples: [{ archetype_family: 'wayfinding', archetype: 'compass', trait_coverage: 0.9 }],
  }),
);

const {
  organisation_domain: _domain,
  placed_on: _placed,
  ended_on: _ended,
  achievement_id: _id,
  achievement_name: _name,
  achievement_criteria: _criteria,
  achievement_image: _image,
  achievement_alignment: _alignment,
  ...requestableClaimFields
} = claimFields;

/** The claims that a request can make; what it must not make is refused as such. */
export const requestedClaimsWire = Type.Unsafe<Claims>(
  closedObject(requestableClaimFields, {
    examples: [{ archetype_family: 'wayfinding', archetype: 'compass', trait_coverage: 0.9 }],
  }),
);

const {
  archetype_family: _family,
  archetype: _archetype,
  archetype_certainty: _certainty,
  trait_coverage: _coverage,
  assessment_completed_on: _completed,
  ...organisationClaimFields
} = claimFields;

/** The claims for which an organisation vouches: nothing that was measured. */
export const organisationClaimsWire = Type.Unsafe<Claims>(
  closedObject(organisationClaimFields, {
    examples: [{ organisation_name: 'River Murray Trust', job_title: 'Water quality analyst' }],
  }),
);

const credentialStatus = field(
  Type.Enum(credentialStatuses),
  'Whether the credential is still good.',
  'active',
);

const recordFields = {
  id: field(uuid, 'The id of the credential.', sampleIds.credential),
  member_id: uuid,
  credential_type: Type.Enum(credentialTypes),
  attestation_tier: Type.Enum(attestationTiers),
  status: credentialStatus,
  visibility: Type.Enum(visibilities),
  issued_at: timestamp,
  expires_at: timestamp,
  revoked_at: nullable(timestamp),
};

/** A credential in a list: enough to tell it from the others of its member, and nothing that was measured. */
export const credentialSummaryWire = closedObject(
  {
    ...recordFields,
    title: field(
      nullable(Type.String()),
      'The achievement or the job that it names; null if it names neither.',
      'Water quality analyst',
    ),
    organisation_name: field(
      nullable(Type.String()),
      'The organisation that it names; null if it names none.',
      'River Murray Trust',
    ),
  },
  { $id: 'CredentialSummary' },
);

const sampleIssuer = 'did:web:tessera.example';

/** The full record, for its member and platform administrators. */
export const credentialWire = closedObject(
  {
    ...recordFields,
    claims: claimsWire,
    revocation_reason: field(
      nullable(Type.String()),
      'Why it was revoked; null if no reason was given.',
      null,
    ),
    verifications: Type.Integer({
      minimum: 0,
      description:
        'How often this service verified the credential. Who verified it, and when, is not stored.',
      examples: [3],
    }),
    issuer: field(Type.String(), 'The did:web of this service.', sampleIssuer),
    formats: field(
      closedObject({
        vc_jwt: field(
          Type.String(),
          'A W3C credential, signed as a JWT.',
          'eyJhbGciOiJFUzI1NiIsInR5cCI6InZjK2p3dCJ9.eyJ…',
        ),
        sd_jwt_vc: field(
          Type.String(),
          'An SD-JWT, whose holder chooses what to disclose.',
          'eyJhbGciOiJFUzI1NiIsInR5cCI6ImRjK3NkLWp3dCJ9.eyJ…~',
        ),
        attestation_token: field(
          Type.String(),
          'A short token for GET /credentials/verify.',
          'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0dGVzdGF0aW9uK2p3dCJ9.eyJ…',
        ),
        open_badge: field(
          nullable(Type.String()),
          'An Open Badges 3.0 credential, signed as a JWT. Null only for a credential that had expired before this form existed.',
          'eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9.eyJ…',
        ),
      }),
      'The signed forms of the credential.',
    ),
  },
  { $id: 'Credential' },
);

const recordWire = closedObject(recordFields);

function toRecordWire(credential: Credential, now: Date) {
  return toReply(recordWire, { ...credential, status: computeCredentialStatus(credential, now) });
}

export function toSummaryWire(credential: Credential, now: Date): Static<typeof credentialSummaryWire> {
  const { achievement_name, job_title, organisation_name = null } = credential.claims;
  return {
    ...toRecordWire(credential, now),
    title: achievement_name ?? job_title ?? null,
    organisation_name,
  };
}

/** The fields of a credential that its ETag leaves out: a verification must not refuse a change by its member. */
export const untaggedFields = ['verifications'] as const;

export function toWire(credential: Credential, issuer: string, now: Date): Static<typeof credentialWire> {
  const { claims, revocation_reason, verifications } = credential;
  const { vc_jwt, sd_jwt_vc, attestation_token, open_badge } = credential;
  return {
    ...toRecordWire(credential, now),
    claims,
    revocation_reason,
    verifications,
    issuer,
    formats: { vc_jwt, sd_jwt_vc, attestation_token, open_badge },
  };
}

const notChecked = 'not_checked';

const verificationFields = {
  valid: field(Type.Boolean(), 'Whether every requested check passed.', true),
  checks: field(
    closedObject({
      form: field(Type.Enum(['passed', 'malformed']), 'Whether it can be read.'),
      issuer: field(Type.Enum(['passed', 'unknown', notChecked]), 'Whether this service issued it.'),
      signature: Type.Enum(['passed', 'wrong', 'key_revoked', notChecked], {
        description: '`key_revoked`: the operator declared the signing key compromised.',
      }),
      expiry: field(
        Type.Enum(['passed', 'expired', 'not_yet_valid', notChecked]),
        'Whether it is valid today.',
      ),
      revocation: field(Type.Enum(['passed', 'revoked', 'unknown', notChecked]), 'Whether it was revoked.'),
    }),
    'The result of each check.',
  ),
  checked_at: field(timestamp, 'When it was checked.', '2026-03-10T12:00:00.000Z'),
};

const verifiedFields = {
  credential_id: uuid,
  credential_type: Type.Enum(credentialTypes),
  attestation_tier: Type.Enum(attestationTiers),
  claims: claimsWire,
  issued_at: timestamp,
  expires_at: timestamp,
};

const verifiedCredential = nullable(
  closedObject(verifiedFields, {
    description: 'The content of the credential; null if it is not verified or not shown.',
  }),
);

/** The result of verifying a token. */
export const tokenVerificationWire = closedObject(
  {
    ...verificationFields,
    form: field(
      nullable(Type.Enum(formNames)),
      'The form of the token; null if it cannot be read.',
      'vc_jwt',
    ),
    issuer: field(nullable(Type.String()), 'Who issued it; null if it cannot be read.', sampleIssuer),
    credential: verifiedCredential,
  },
  { $id: 'TokenVerification' },
);

/** The result of verifying a stored credential. */
export const credentialVerificationWire = closedObject(
  {
    credential_id: uuid,
    status: credentialStatus,
    issuer: field(Type.String(), 'The did:web of this service.', sampleIssuer),
    attestation_tier: Type.Enum(attestationTiers, {
      description:
        'Who vouches for the content, even if it is not shown. Nobody has checked the content of a self_attested credential, even if it is valid.',
    }),
    ...verificationFields,
    credential: verifiedCredential,
  },
  { $id: 'CredentialVerification' },
);

export function toVerificationWire(
  { valid, form, issuer, checks, content }: Verification,
  now: Date,
): Static<typeof tokenVerificationWire> {
  return {
    valid,
    checks,
    checked_at: now.toISOString(),
    form,
    issuer,
    credential: content && toContentWire(content),
  };
}

/** The content of a verified token without its internal fields and without its subject, which is the id of the member. */
export function toContentWire(content: NonNullable<Verification['content']>) {
  const { credential_id, credential_type, attestation_tier, claims, issued_at, expires_at } = content;
  return { credential_id, credential_type, attestation_tier, claims, issued_at, expires_at };
}

/** The public keys (RFC 7517 section 5). */
export const keySetWire = closedObject(
  {
    keys: field(
      Type.Array(
        closedObject({
          kty: field(Type.Enum(['EC']), 'The type of the key.'),
          crv: field(Type.Enum(['P-256']), 'The curve.'),
          x: field(
            Type.String(),
            'The first coordinate, as base64url.',
            'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
          ),
          y: field(
            Type.String(),
            'The second coordinate, as base64url.',
            'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
          ),
          kid: field(Type.String(), 'The id of the key, which signatures name.', 'YbTxm3hFJz1c'),
          alg: field(Type.Enum(['ES256']), 'The algorithm of the signatures.'),
          use: field(Type.Enum(['sig']), 'The key is for signatures.'),
        }),
      ),
      'The public keys.',
    ),
  },
  { $id: 'KeySet' },
);
