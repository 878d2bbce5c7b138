import { readCertificateFacts } from '@tessera/saml';
import { Type, type Static } from 'typebox';
import { closedObject, field, nullable, timestamp, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import { domainsInput, timesWire, toProviderWire, userWire, type WireContext } from './domain-schemas.ts';
import { computeDaysLeft, defaultRoles, buildServiceProvider, type Configuration } from './rules.ts';

const address_characters_max = 2_000;
const name_characters_max = 1_024;

const name = Type.String({ minLength: 1, maxLength: name_characters_max, pattern: '^[^\\u0000-\\u0020]+$' });
const attributeName = Type.String({ minLength: 1, maxLength: 256, pattern: '^[^\\u0000-\\u001f]+$' });
const address = Type.String({
  minLength: 1,
  maxLength: address_characters_max,
  pattern: '^https?://[\\u0021-\\u007e]+$',
});
const sampleServiceUrl = `https://tessera.example/api/v1/auth/sso/${sampleIds.organisation}`;
const sampleProvider = {
  entity: 'https://idp.rivermurraytrust.example/saml',
  sso: 'https://idp.rivermurraytrust.example/saml/login',
  metadata: 'https://idp.rivermurraytrust.example/saml/metadata',
};

/** The SAML configuration of an organisation. The identity provider is given as the URL of its metadata, as metadata XML, or as fields. */
export const configurationInput = {
  idp_metadata_url: Type.Optional(
    field(address, 'The address of the metadata of the identity provider.', sampleProvider.metadata),
  ),
  idp_metadata_xml: Type.Optional(
    field(
      Type.String({ minLength: 1, maxLength: 200_000 }),
      'The metadata of the identity provider.',
      '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata">…</EntityDescriptor>',
    ),
  ),
  idp_entity_id: Type.Optional(field(name, 'The entity id of the identity provider.', sampleProvider.entity)),
  idp_sso_url: Type.Optional(
    field(address, 'Where the identity provider signs users in.', sampleProvider.sso),
  ),
  idp_certificates: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 10_000 }), {
      minItems: 1,
      maxItems: 10,
      description: 'X.509 certificates as PEM or bare base64, with RSA keys of at least 2048 bits.',
      examples: [['MIIC8DCCAdigAwIBAgIQc…']],
    }),
  ),
  attribute_mapping: Type.Optional(
    field(
      closedObject({
        email: Type.String({
          ...attributeName,
          default: 'email',
          description: 'The name of an attribute, or NameID.',
          examples: ['email'],
        }),
        name: Type.Optional(
          field(attributeName, 'The name of the attribute with the display name.', 'displayName'),
        ),
      }),
      'Where the identity provider puts facts about the user.',
    ),
  ),
  email_domains: domainsInput,
  default_role: Type.Optional(
    field(Type.Enum(defaultRoles, { default: 'org_viewer' }), 'The role of a new user.', 'org_viewer'),
  ),
  allow_idp_initiated: Type.Optional(
    field(Type.Boolean({ default: false }), 'Whether the identity provider may start a login.', false),
  ),
  enabled: Type.Optional(field(Type.Boolean({ default: true }), 'Whether users can log in this way.', true)),
};

const certificateWire = closedObject({
  fingerprint_sha256: field(
    Type.String(),
    'The SHA-256 fingerprint of the certificate.',
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  ),
  subject: field(Type.String(), 'The subject of the certificate.', 'CN=idp.rivermurraytrust.example'),
  not_before: field(timestamp, 'From when the certificate is valid.', '2025-11-01T00:00:00.000Z'),
  not_after: field(timestamp, 'Until when the certificate is valid.', '2027-11-01T00:00:00.000Z'),
  days_left: field(Type.Integer({ minimum: 0 }), 'How many days it is still valid.', 601),
  expired: field(Type.Boolean(), 'Whether it has expired.', false),
});

export const configurationWire = closedObject(
  {
    org_id: uuid,
    enabled: field(Type.Boolean(), 'Whether users can log in this way.', true),
    sp_entity_id: field(Type.String(), 'The entity id of this service.', `${sampleServiceUrl}/metadata`),
    acs_url: field(
      Type.String(),
      'Where the identity provider posts its response.',
      `${sampleServiceUrl}/acs`,
    ),
    metadata_url: field(
      Type.String(),
      'The address of the metadata of this service.',
      `${sampleServiceUrl}/metadata`,
    ),
    login_url: field(Type.String(), 'Where a login starts.', `${sampleServiceUrl}/login`),
    idp_entity_id: field(Type.String(), 'The entity id of the identity provider.', sampleProvider.entity),
    idp_sso_url: field(Type.String(), 'Where the identity provider logs users in.', sampleProvider.sso),
    idp_metadata_url: field(
      nullable(Type.String()),
      'The address of the metadata of the identity provider; null if it was given otherwise.',
      sampleProvider.metadata,
    ),
    idp_certificates: field(Type.Array(certificateWire), 'The certificates of the identity provider.'),
    attribute_mapping: field(
      closedObject({
        email: field(Type.String(), 'The name of the attribute with the email address.', 'email'),
        name: field(
          nullable(Type.String()),
          'The name of the attribute with the display name.',
          'displayName',
        ),
      }),
      'Where the identity provider puts facts about the user.',
    ),
    ...userWire,
    allow_idp_initiated: field(Type.Boolean(), 'Whether the identity provider may start a login.', false),
    ...timesWire,
  },
  { $id: 'SsoConfiguration' },
);

export function toWire(
  configuration: Configuration,
  { publicUrl, ...context }: WireContext,
): Static<typeof configurationWire> {
  const {
    idp_certificates,
    email_attribute,
    name_attribute,
    provider_changed_at: _,
    ...rest
  } = configuration;
  return {
    ...rest,
    ...buildServiceProvider(publicUrl, configuration.org_id),
    idp_certificates: idp_certificates.map((pem) => toCertificateWire(pem, context.now)),
    attribute_mapping: { email: email_attribute, name: name_attribute },
    ...toProviderWire(configuration, context),
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
