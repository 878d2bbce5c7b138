import { Type } from 'typebox';
import { selectMediaType } from '#lib/media-type.ts';
import { document, operation, type Context } from '#platform/operation.ts';
import { field, uuid } from '#platform/schema.ts';
import { findListKey } from '../revocation/status-lists.ts';
import { addProof } from '../signing/data-integrity.ts';
import { buildIssuer } from '../signing/issuer.ts';
import { buildOpenBadge } from '../signing/open-badge.ts';
import type { Credential } from '../store.ts';
import { findCallerCredential } from '../holding/credential-access.ts';
import { writePngBadge } from './write-png-badge.ts';
import { writeSvgBadge } from './write-svg-badge.ts';
import { readPicture } from './badge-pictures.ts';

/** All of them name the same JSON. Common clients parse a reply only if its type contains the word. */
const json_types = ['application/vc', 'application/ld+json', 'application/json'] as const;

const badgeFormats = ['json', 'png', 'svg'] as const;

export const readOpenBadge = operation({
  name: 'credentials.readOpenBadge',
  title: 'Read a credential as an Open Badge',
  summary:
    'Returns the credential as an Open Badges 3.0 credential with an embedded proof (eddsa-rdfc-2022), which is what verifiers and backpacks of badges import; or a picture with that credential baked in.',
  who: ['member', 'platform_admin'],
  input: Type.Object({
    credential_id: uuid,
    format: Type.Optional(
      field(
        Type.Enum(badgeFormats, { default: 'json' }),
        'JSON, or a picture with the same JSON baked in, which Open Badges software reads from the file.',
        'png',
      ),
    ),
  }),
  output: { 200: document(...json_types, 'image/png', 'image/svg+xml') },
  refuses: ['credential_not_found'],
  samples: {
    reply: {
      '@context': [
        'https://www.w3.org/ns/credentials/v2',
        'https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json',
        'https://tessera.example/contexts/credentials/v1',
      ],
      type: ['VerifiableCredential', 'OpenBadgeCredential', 'AssessmentCompletion'],
      name: 'Completed assessment',
      issuer: { id: 'did:web:tessera.example', type: ['Profile'], name: 'Tessera at tessera.example' },
      proof: { type: 'DataIntegrityProof', cryptosuite: 'eddsa-rdfc-2022', proofValue: 'z4oey5q2M3…' },
    },
  },
  run: async (context, { credential_id, format = 'json' }) => {
    const credential = await findCallerCredential(context.caller, context.database, credential_id);
    const badge = await signOpenBadge(context, credential);
    return { ...renderFormat(credential, format, badge, context.request.accept), max_age_s: 0 };
  },
});

/** A badge as JSON with an embedded proof. It is signed when it is asked for, because that takes milliseconds. */
async function signOpenBadge(
  context: Context<'member' | 'platform_admin'>,
  credential: Credential,
): Promise<string> {
  const unsecured = buildOpenBadge(buildIssuer(context.config.publicUrl), credential);
  const key = await findListKey(context, credential.status_list_id);
  return JSON.stringify(await addProof(context, key, unsecured, 'eddsa-rdfc-2022'));
}

/** The badge as it is, or baked into the picture of its achievement. */
function renderFormat(
  credential: Credential,
  format: (typeof badgeFormats)[number],
  badge: string,
  accept: string | undefined,
): { readonly media_type: string; readonly content: string | Buffer } {
  if (format === 'json') return { media_type: selectMediaType(accept, json_types), content: badge };
  if (format === 'png')
    return { media_type: 'image/png', content: writePngBadge(readPicture(credential, 'badge.png'), badge) };
  const drawing = readPicture(credential, 'badge.svg').toString();
  return { media_type: 'image/svg+xml', content: writeSvgBadge(drawing, badge) };
}
