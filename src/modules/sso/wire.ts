import { Type, type Static } from 'typebox';
import { closedObject, nullable, timestamp, uuid } from '#platform/schema.ts';
import { computeDaysLeft, defaultRoles, buildServiceProvider, type Configuration } from './rules.ts';
import { readCertificateFacts } from './saml/certificates.ts';

const address_characters_max = 2_000;
const name_characters_max = 1_024;

const name = Type.String({ minLength: 1, maxLength: name_characters_max, pattern: '^[^\\u0000-\\u0020]+$' });
const attributeName = Type.String({ minLength: 1, maxLength: 256, pattern: '^[^\\u0000-\\u001f]+$' });
const address = Type.String({
  minLength: 1,
  maxLength: address_characters_max,
  pattern: '^https?://[\\u0021-\\u007e]+$',
});
const domain = Type.String({
  maxLength: 253,
  pattern: '^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]$',
});

/** The SAML configuration of an organisation. The identity provider is given as the URL of its metadata, as metadata XML, or as fields. */
export const configurationInput = {
  idp_metadata_url: Type.Optional(address),
  idp_metadata_xml: Type.Optional(Type.String({ minLength: 1, maxLength: 200_000 })),
  idp_entity_id: Type.Optional(name),
  idp_sso_url: Type.Optional(address),
  idp_certificates: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 10_000 }), {
      minItems: 1,
      maxItems: 10,
      description: 'X.509 certificates as PEM or bare base64, with RSA keys of at least 2048 bits.',
    }),
  ),
  attribute_mapping: Type.Optional(
    closedObject({
      email: Type.String({
        ...attributeName,
        default: 'email',
        description: 'The name of an attribute, or NameID.',
      }),
      name: Type.Optional(attributeName),
    }),
  ),
  email_domains: Type.Array(domain, {
    minItems: 1,
    maxItems: 50,
    description: 'The domains of the e-mail addresses that may sign in. Subdomains are not included.',
  }),
  default_role: Type.Optional(Type.Enum(defaultRoles, { default: 'org_viewer' })),
  allow_idp_initiated: Type.Optional(Type.Boolean({ default: false })),
  enabled: Type.Optional(Type.Boolean({ default: true })),
};

const certificateWire = closedObject({
  fingerprint_sha256: Type.String(),
  subject: Type.String(),
  not_before: timestamp,
  not_after: timestamp,
  days_left: Type.Integer({ minimum: 0 }),
  expired: Type.Boolean(),
});

export const configurationWire = closedObject(
  {
    org_id: uuid,
    enabled: Type.Boolean(),
    sp_entity_id: Type.String(),
    acs_url: Type.String(),
    metadata_url: Type.String({ description: 'The address of the metadata of this service.' }),
    login_url: Type.String(),
    idp_entity_id: Type.String(),
    idp_sso_url: Type.String(),
    idp_metadata_url: nullable(Type.String()),
    idp_certificates: Type.Array(certificateWire),
    attribute_mapping: closedObject({ email: Type.String(), name: nullable(Type.String()) }),
    email_domains: Type.Array(Type.String()),
    default_role: Type.Enum(defaultRoles),
    allow_idp_initiated: Type.Boolean(),
    created_at: timestamp,
    updated_at: timestamp,
  },
  { $id: 'SsoConfiguration' },
);

export function toWire(
  configuration: Configuration,
  publicUrl: string,
  now: Date,
): Static<typeof configurationWire> {
  const { idp_certificates, email_attribute, name_attribute, created_at, updated_at, ...rest } =
    configuration;
  return {
    ...rest,
    ...buildServiceProvider(publicUrl, configuration.org_id),
    idp_certificates: idp_certificates.map((pem) => toCertificateWire(pem, now)),
    attribute_mapping: { email: email_attribute, name: name_attribute },
    email_domains: [...configuration.email_domains],
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}

function toCertificateWire(pem: string, now: Date): Static<typeof certificateWire> {
  const { fingerprint, subject, not_before, not_after } = readCertificateFacts(pem);
  return {
    fingerprint_sha256: fingerprint,
    subject,
    not_before: not_before.toISOString(),
    not_after: not_after.toISOString(),
    days_left: computeDaysLeft(not_after, now),
    expired: not_after <= now,
  };
}
