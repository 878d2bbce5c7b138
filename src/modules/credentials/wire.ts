import { Type, type Static } from 'typebox';
import { closedObject, nullable, text, timestamp, uuid } from '#platform/schema.ts';
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

/** The claims of a request or a record. Which of them a credential may have depends on its type. */
export const claimsWire = Type.Unsafe<Claims>(
  closedObject({
    archetype_family: Type.Optional(text(100)),
    archetype: Type.Optional(text(100)),
    trait_coverage: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'The share of the twenty traits that are measured.',
      }),
    ),
    assessment_completed_on: Type.Optional(Type.String({ format: 'date', maxLength: 10 })),
    job_title: Type.Optional(text(200)),
    organisation_name: Type.Optional(text(200)),
    statement: Type.Optional(text(500)),
  }),
);

const summaryFields = {
  id: uuid,
  member_id: uuid,
  credential_type: Type.Enum(credentialTypes),
  attestation_tier: Type.Enum(attestationTiers),
  status: Type.Enum(credentialStatuses),
  visibility: Type.Enum(visibilities),
  issued_at: timestamp,
  expires_at: timestamp,
  revoked_at: nullable(timestamp),
};

/** A credential in a list. */
export const credentialSummaryWire = closedObject(summaryFields, { $id: 'CredentialSummary' });

/** The full record, for its member and platform administrators. */
export const credentialWire = closedObject(
  {
    ...summaryFields,
    claims: claimsWire,
    revocation_reason: nullable(Type.String()),
    verifications: Type.Integer({
      minimum: 0,
      description:
        'How often this service verified the credential. Who verified it, and when, is not stored.',
    }),
    issuer: Type.String({ description: 'The did:web of this service.' }),
    formats: closedObject({
      vc_jwt: Type.String(),
      sd_jwt_vc: Type.String(),
      attestation_token: Type.String(),
    }),
  },
  { $id: 'Credential' },
);

export function toSummaryWire(credential: Credential, now: Date): Static<typeof credentialSummaryWire> {
  const { id, member_id, credential_type, attestation_tier, visibility } = credential;
  return {
    id,
    member_id,
    credential_type,
    attestation_tier,
    status: computeCredentialStatus(credential, now),
    visibility,
    issued_at: credential.issued_at.toISOString(),
    expires_at: credential.expires_at.toISOString(),
    revoked_at: credential.revoked_at?.toISOString() ?? null,
  };
}

export function toWire(credential: Credential, issuer: string, now: Date): Static<typeof credentialWire> {
  const { claims, revocation_reason, verifications, vc_jwt, sd_jwt_vc, attestation_token } = credential;
  return {
    ...toSummaryWire(credential, now),
    claims,
    revocation_reason,
    verifications,
    issuer,
    formats: { vc_jwt, sd_jwt_vc, attestation_token },
  };
}

const notChecked = 'not_checked';

const verificationFields = {
  valid: Type.Boolean({ description: 'Whether every requested check passed.' }),
  checks: closedObject({
    form: Type.Enum(['passed', 'malformed']),
    issuer: Type.Enum(['passed', 'unknown', notChecked]),
    signature: Type.Enum(['passed', 'wrong', 'key_revoked', notChecked], {
      description: '`key_revoked`: the operator declared the signing key compromised.',
    }),
    expiry: Type.Enum(['passed', 'expired', 'not_yet_valid', notChecked]),
    revocation: Type.Enum(['passed', 'revoked', 'unknown', notChecked]),
  }),
  checked_at: timestamp,
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
    form: nullable(Type.Enum(formNames)),
    issuer: nullable(Type.String()),
    credential: verifiedCredential,
  },
  { $id: 'TokenVerification' },
);

/** The result of verifying a stored credential. */
export const credentialVerificationWire = closedObject(
  {
    credential_id: uuid,
    status: Type.Enum(credentialStatuses),
    issuer: Type.String(),
    attestation_tier: Type.Enum(attestationTiers, {
      description:
        'Who vouches for the content, also if it is not shown. Nobody has checked the content of a self_attested credential, even if it is valid.',
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
    keys: Type.Array(
      closedObject({
        kty: Type.Enum(['EC']),
        crv: Type.Enum(['P-256']),
        x: Type.String(),
        y: Type.String(),
        kid: Type.String(),
        alg: Type.Enum(['ES256']),
        use: Type.Enum(['sig']),
      }),
    ),
  },
  { $id: 'KeySet' },
);
