import {
  buildIssuer,
  buildVctUrl,
  claimNames,
  credentialTypes,
  termMeanings,
  vcTypes,
  type CredentialType,
  type Issuer,
} from '#modules/credentials/credentials';

/** The formats that wallets can fetch: SD-JWT VC with key binding, and a W3C credential with an embedded proof. */
const formats = ['dc+sd-jwt', 'ldp_vc'] as const;

export type Format = (typeof formats)[number];

/** The type and format behind a `credential_configuration_id`. */
export type Configuration = { readonly id: string; readonly type: CredentialType; readonly format: Format };

const configurations: readonly Configuration[] = credentialTypes.flatMap((type) =>
  formats.map((format) => ({ id: format === 'ldp_vc' ? `${type}_ldp` : `${type}_sd_jwt`, type, format })),
);

/** The configurations in which a credential of a type is offered, preferred first. */
export function listConfigurations(type: CredentialType): readonly Configuration[] {
  return configurations.filter((each) => each.type === type);
}

export const configurationIds: readonly string[] = configurations.map(({ id }) => id);

export function findConfiguration(id: string): Configuration | undefined {
  return configurations.find((each) => each.id === id);
}

/** The paths that wallets use. All have the same prefix, which is also the path in the name of the authorization server. */
export const paths = {
  prefix: '/openid4vci',
  offers: '/openid4vci/offers',
  token: '/openid4vci/token',
  nonce: '/openid4vci/nonce',
  credential: '/openid4vci/credential',
} as const;

/**
 * The Credential Issuer Metadata (OpenID4VCI 1.0 section 12.2). The name of the authorization server has a path, so that the metadata and
 * paths at the bare origin stay free for an OAuth server that logs users in.
 */
export function buildIssuerMetadata(publicUrl: string): object {
  const issuer = buildIssuer(publicUrl);
  return {
    credential_issuer: publicUrl,
    authorization_servers: [`${publicUrl}${paths.prefix}`],
    credential_endpoint: `${publicUrl}${paths.credential}`,
    nonce_endpoint: `${publicUrl}${paths.nonce}`,
    display: [{ name: 'Tessera', locale: 'en' }],
    credential_configurations_supported: Object.fromEntries(
      configurations.map((each) => [each.id, buildConfigurationMetadata(issuer, each)]),
    ),
  };
}

/** The metadata of the authorization server, which supports only this grant (RFC 8414; OpenID4VCI 1.0 section 12.3). */
export function buildServerMetadata(publicUrl: string): object {
  return {
    issuer: `${publicUrl}${paths.prefix}`,
    token_endpoint: `${publicUrl}${paths.token}`,
    grant_types_supported: [pre_authorized_grant],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ['none'],
    'pre-authorized_grant_anonymous_access_supported': true,
  };
}

export const pre_authorized_grant = 'urn:ietf:params:oauth:grant-type:pre-authorized_code';

/** The signature algorithms that proofs of wallets may use, by their JOSE names. */
export const proof_algorithms = ['ES256', 'EdDSA'];

function buildConfigurationMetadata(issuer: Issuer, { type, format }: Configuration): object {
  return {
    format,
    ...(format === 'dc+sd-jwt'
      ? { vct: buildVctUrl(issuer, type) }
      : { credential_definition: buildDefinition(issuer, type) }),
    cryptographic_binding_methods_supported: ['jwk', 'did:jwk', 'did:key'],
    credential_signing_alg_values_supported: [format === 'dc+sd-jwt' ? 'ES256' : 'ecdsa-rdfc-2019'],
    proof_types_supported: { jwt: { proof_signing_alg_values_supported: proof_algorithms } },
    credential_metadata: {
      display: [{ name: displayNames[type], locale: 'en', description: termMeanings[vcTypes[type]] }],
      claims: claimNames[type].map((name) => ({
        path: format === 'ldp_vc' ? ['credentialSubject', name] : [name],
        display: [{ name: name.replaceAll('_', ' '), locale: 'en' }],
      })),
    },
  };
}

function buildDefinition(issuer: Issuer, type: CredentialType): object {
  return {
    '@context': ['https://www.w3.org/ns/credentials/v2', issuer.context],
    type: ['VerifiableCredential', vcTypes[type]],
  };
}

const displayNames: Readonly<Record<CredentialType, string>> = {
  trait_attestation: 'Measured traits',
  archetype_attestation: 'Archetype',
  assessment_completion: 'Completed assessment',
  placement_attestation: 'Placement in a job',
  org_validation: 'Statement of an organisation',
};
