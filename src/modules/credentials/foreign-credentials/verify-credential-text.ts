import { Type, type Static } from 'typebox';
import { operation } from '#platform/operation.ts';
import { closedObject, field, nullable, timestamp } from '#platform/schema.ts';
import { sampleTokens } from '#platform/schema-samples.ts';
import { verdicts } from './checks/rules.ts';
import { faults } from './faults.ts';
import { credential_characters_max } from './reading/read-text.ts';
import { verifyAnyCredential, type AnyVerification } from './verify-any-credential.ts';

const notChecked = 'not_checked';

const anyVerificationWire = closedObject(
  {
    verdict: field(
      Type.Enum(verdicts),
      'What the checks come to. `self_declared`: genuine, but only its holder says it. `unknown_issuer`: unchanged, but its issuer is nothing but a key. `not_checked`: something could not be checked, which does not mean that it is false.',
      'genuine',
    ),
    form: field(
      Type.Enum(['vc_jwt', 'sd_jwt_vc', 'attestation_token', 'open_badge', 'data_integrity']),
      'The form of the credential.',
      'vc_jwt',
    ),
    issuer: field(
      closedObject({
        id: field(
          Type.String(),
          'The id of the issuer, as the credential has it.',
          'did:web:harbour.example',
        ),
        domain: field(
          nullable(Type.String()),
          'The domain of the issuer; null unless its server has proven it.',
          'harbour.example',
        ),
        stated_name: field(
          nullable(Type.String()),
          'The name that the issuer gives itself, which proves nothing.',
          'Harbour Health',
        ),
      }),
      'Who issued the credential, as far as it is proven.',
    ),
    checks: field(
      closedObject({
        issuer: field(
          Type.Enum(['this_service', 'domain', 'key', notChecked]),
          'What the issuer is proven to be: this service, the owner of a domain, or the owner of a key.',
          'domain',
        ),
        signature: field(Type.Enum(['passed', 'wrong', notChecked]), 'Whether it is unchanged.', 'passed'),
        period: field(
          Type.Enum(['passed', 'expired', 'not_yet_valid', notChecked]),
          'Whether it is valid today.',
          'passed',
        ),
        status: field(
          Type.Enum(['passed', 'revoked', 'suspended', 'none', notChecked]),
          'What the status list of the issuer says. `none`: the issuer publishes none.',
          'passed',
        ),
      }),
      'The result of each check.',
    ),
    fault: field(nullable(Type.Enum(faults)), 'Why something could not be checked.', null),
    types: field(Type.Array(Type.String()), 'The types of the credential.', ['OpenBadgeCredential']),
    says: field(
      Type.Array(
        closedObject({
          label: field(Type.String(), 'The name of the claim, as words.', 'Job title'),
          value: field(Type.String(), 'The value of the claim.', 'Night nurse'),
        }),
      ),
      'What the credential says about its subject, without its id and without pictures, in at most 20 claims. It is proven only as far as the verdict says.',
      [{ label: 'Job title', value: 'Night nurse' }],
    ),
    valid_from: field(nullable(timestamp), 'From when on it is valid.', '2026-03-02T09:00:00.000Z'),
    valid_until: field(nullable(timestamp), 'Until when it is valid.', '2027-03-02T09:00:00.000Z'),
    checked_at: field(timestamp, 'When it was checked.', '2026-03-10T12:00:00.000Z'),
  },
  { $id: 'AnyVerification' },
);

export const verifyCredentialText = operation({
  name: 'foreignCredentials.verifyCredentialText',
  title: 'Verify a credential of any issuer',
  summary:
    'Verifies a credential of this service or of another issuer: a JWT, an SD-JWT VC, or JSON with an ecdsa-rdfc-2019 or eddsa-rdfc-2022 proof, such as an Open Badge. The issuer may be a did:web, a did:key, or have JWT VC Issuer Metadata. Its keys and status lists are read from its own servers within ten seconds; contexts are never fetched. Free of charge.',
  who: 'anyone',
  input: Type.Object({
    credential: field(
      Type.String({ minLength: 1, maxLength: credential_characters_max }),
      'The credential as text.',
      sampleTokens.access,
    ),
  }),
  output: { 200: anyVerificationWire },
  refuses: ['field_invalid', 'overloaded'],
  run: async (context, { credential }) =>
    toWire(await verifyAnyCredential(context, credential), context.now()),
});

function toWire(
  { issuer, proof, fault, valid_from, valid_until, own: _own, ...verified }: AnyVerification,
  now: Date,
): Static<typeof anyVerificationWire> {
  return {
    ...verified,
    issuer: {
      id: issuer.id,
      domain: proof?.kind === 'domain' ? proof.domain : null,
      stated_name: issuer.name ?? null,
    },
    types: [...verified.types],
    says: [...verified.says],
    fault: fault ?? null,
    valid_from: valid_from?.toISOString() ?? null,
    valid_until: valid_until?.toISOString() ?? null,
    checked_at: now.toISOString(),
  };
}
