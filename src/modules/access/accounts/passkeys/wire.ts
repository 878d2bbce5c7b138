import { Type, type Static, type TProperties } from 'typebox';
import { closedObject, field, nullable, patternText, timestamp } from '#platform/schema.ts';
import { passkeys_max } from './rules.ts';

/** What WebAuthn calls JSON: its names are in camelCase, and its bytes in base64url. */
const buildBytes = (bytes_max: number) =>
  patternText('^[A-Za-z0-9_-]*$', 'must be base64url without padding', {
    minLength: 1,
    maxLength: Math.ceil((bytes_max * 4) / 3),
  });

/** The browser writes these objects, and later browsers may add fields. Only the named ones are read. */
const buildOpenObject = <const Fields extends TProperties>(fields: Fields) =>
  Type.Object(fields, { additionalProperties: true });

const sampleCredential = 'q1r2s3t4u5v6w7x8y9z0AQ';
const sampleBytes = 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVil';
const sampleClientData = 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0';
const sampleChallenge = 'b0JkZW5fY2hhbGxlbmdlX29mX3RoaXNfc2VydmljZQ';

const credentialId = field(buildBytes(1_023), 'The id that the authenticator chose.', sampleCredential);
const transport = patternText('^[a-z-]+$', 'must be a transport such as internal', { maxLength: 32 });
const transports = field(
  Type.Array(transport, { maxItems: 10 }),
  'How a browser reaches the authenticator.',
  ['internal', 'hybrid'],
);

const credentialFields = {
  id: credentialId,
  rawId: field(buildBytes(1_023), 'The same id again.', sampleCredential),
  type: field(Type.Literal('public-key'), 'The kind of the credential.', 'public-key'),
};

/** The result of `navigator.credentials.create` as `toJSON` writes it (WebAuthn Level 3: RegistrationResponseJSON). */
export const createdPasskeyInput = field(
  buildOpenObject({
    ...credentialFields,
    response: field(
      buildOpenObject({
        clientDataJSON: field(buildBytes(4_096), 'What the browser signed for.', sampleClientData),
        attestationObject: field(
          buildBytes(32_768),
          'The public key, and what its authenticator says.',
          sampleBytes,
        ),
        transports: Type.Optional(transports),
      }),
      'The answer of the authenticator.',
    ),
  }),
  'What `navigator.credentials.create` returned, as its `toJSON` writes it.',
);

/** The result of `navigator.credentials.get` as `toJSON` writes it (WebAuthn Level 3: AuthenticationResponseJSON). */
export const usedPasskeyInput = field(
  buildOpenObject({
    ...credentialFields,
    response: field(
      buildOpenObject({
        clientDataJSON: field(buildBytes(4_096), 'What the browser signed for.', sampleClientData),
        authenticatorData: field(buildBytes(4_096), 'What the authenticator says about itself.', sampleBytes),
        signature: field(buildBytes(2_048), 'The signature over both.', 'MEUCIQDsYW1wbGU'),
        userHandle: Type.Optional(
          field(nullable(buildBytes(64)), 'The user that the passkey belongs to.', 'DJ1aHnpUTwuPLT4bany9kA'),
        ),
      }),
      'The answer of the authenticator.',
    ),
  }),
  'What `navigator.credentials.get` returned, as its `toJSON` writes it.',
);

export type CreatedPasskey = Static<typeof createdPasskeyInput>;
export type UsedPasskey = Static<typeof usedPasskeyInput>;

const descriptors = field(
  Type.Array(closedObject({ type: credentialFields.type, id: credentialId, transports }), {
    maxItems: passkeys_max,
  }),
  'Passkeys of the account.',
);
const challenge = field(Type.String(), 'What the authenticator signs.', sampleChallenge);
const timeout = field(Type.Integer(), 'How long the browser asks, in milliseconds.', 600_000);

/** The options of `navigator.credentials.create` (WebAuthn Level 3: PublicKeyCredentialCreationOptionsJSON). */
const creationOptions = closedObject({
  rp: field(
    closedObject({
      id: field(Type.String(), 'The host name to which the passkey belongs.', 'tessera.example'),
      name: field(Type.String(), 'The name of this service.', 'Tessera'),
    }),
    'This service.',
  ),
  user: field(
    closedObject({
      id: field(Type.String(), 'The id of the user, as bytes.', 'DJ1aHnpUTwuPLT4bany9kA'),
      name: field(Type.String(), 'The email address or the handle.', 'ada.lind@example.org'),
      displayName: field(Type.String(), 'The name of the user.', 'Ada Lind'),
    }),
    'The account that the passkey opens.',
  ),
  challenge,
  pubKeyCredParams: field(
    Type.Array(
      closedObject({
        type: credentialFields.type,
        alg: field(Type.Integer(), 'The number of an algorithm (COSE).', -7),
      }),
    ),
    'The algorithms that this service verifies.',
  ),
  timeout,
  excludeCredentials: descriptors,
  authenticatorSelection: field(
    closedObject({
      residentKey: field(
        Type.Literal('required'),
        'The passkey is found without an email address.',
        'required',
      ),
      requireResidentKey: field(Type.Literal(true), 'The same, for older browsers.', true),
      userVerification: field(Type.Literal('required'), 'The device must verify its user.', 'required'),
    }),
    'What the authenticator must be able to do.',
  ),
  attestation: field(Type.Literal('none'), 'The maker of the authenticator does not matter.', 'none'),
});

/** The options of `navigator.credentials.get` (WebAuthn Level 3: PublicKeyCredentialRequestOptionsJSON). */
const requestOptions = closedObject({
  challenge,
  timeout,
  rpId: field(Type.String(), 'The host name to which the passkey belongs.', 'tessera.example'),
  allowCredentials: descriptors,
  userVerification: field(Type.Literal('required'), 'The device must verify its user.', 'required'),
});

export const challengeWire = closedObject({
  public_key: field(
    Type.Union([requestOptions, creationOptions]),
    'The options for the browser: `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON` reads them.',
  ),
  expires_at: timestamp,
});
