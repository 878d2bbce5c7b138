import { Type, type Static } from 'typebox';
import { closedObject, field, nullable, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import { domainsInput, timesWire, toProviderWire, userWire, type WireContext } from '../domain-schemas.ts';
import { defaultRoles } from '../rules.ts';
import { buildRedirectUri, type OpenidConfiguration } from './rules.ts';

const issuer = Type.String({
  minLength: 1,
  maxLength: 2_000,
  pattern: '^https?://[\\u0021-\\u007e]+$',
  description: 'The issuer, whose description is at /.well-known/openid-configuration below it.',
  examples: ['https://login.rivermurraytrust.example'],
});
const visible = '^[\\u0021-\\u007e]+$';
const clientId = field(
  Type.String({ minLength: 1, maxLength: 255, pattern: visible }),
  'The id of this service at the provider.',
  'tessera',
);
const roleMapping = closedObject({
  claim: field(
    Type.String({ minLength: 1, maxLength: 256, pattern: '^[^\\u0000-\\u001f]+$' }),
    'The claim of the ID token whose values decide the role.',
    'groups',
  ),
  auditor: Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
    minItems: 1,
    maxItems: 50,
    description: 'The values that make a user an auditor.',
    examples: [['tessera-auditors']],
  }),
});

/** The OpenID Connect configuration of an organisation. */
export const openidInput = {
  issuer,
  client_id: clientId,
  client_secret: Type.Optional(
    field(
      Type.String({ minLength: 1, maxLength: 1_000, pattern: visible }),
      'The secret of this service at the provider. Without it, the stored one stays. No reply shows it.',
      'kYd0_3nQ9-x4Q',
    ),
  ),
  email_domains: domainsInput,
  default_role: Type.Optional(
    field(Type.Enum(defaultRoles, { default: 'org_viewer' }), 'The role of a new user.', 'org_viewer'),
  ),
  role_mapping: Type.Optional(
    field(
      nullable(roleMapping),
      'How the provider decides who is an auditor, at every login; null if it does not. It never decides about administrators.',
      { claim: 'groups', auditor: ['tessera-auditors'] },
    ),
  ),
  enabled: Type.Optional(field(Type.Boolean({ default: true }), 'Whether users can log in this way.', true)),
};

const base = `https://tessera.example/api/v1/auth/sso/${sampleIds.organisation}`;

export const openidWire = closedObject(
  {
    org_id: uuid,
    enabled: field(Type.Boolean(), 'Whether users can log in this way.', true),
    issuer,
    client_id: clientId,
    redirect_uri: field(Type.String(), 'The redirect URI to register at the provider.', `${base}/callback`),
    login_url: field(Type.String(), 'Where a login starts.', `${base}/login`),
    ...userWire,
    role_mapping: field(
      nullable(roleMapping),
      'How the provider decides who is an auditor; null if it does not.',
      null,
    ),
    ...timesWire,
  },
  { $id: 'OpenidConfiguration' },
);

export function toOpenidWire(
  configuration: OpenidConfiguration,
  { publicUrl, ...context }: WireContext,
): Static<typeof openidWire> {
  const { org_id, enabled, issuer: stored, client_id, role_claim, auditor_values } = configuration;
  return {
    org_id,
    enabled,
    issuer: stored,
    client_id,
    redirect_uri: buildRedirectUri(publicUrl, org_id),
    login_url: `${publicUrl}/api/v1/auth/sso/${org_id}/login`,
    role_mapping: role_claim === null ? null : { claim: role_claim, auditor: [...auditor_values] },
    ...toProviderWire(configuration, context),
  };
}
