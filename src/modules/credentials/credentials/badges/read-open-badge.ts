import { Type } from 'typebox';
import { selectMediaType } from '#lib/media-type.ts';
import { document, operation, type Context } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { findListKey } from '../revocation/status-lists.ts';
import { addProof } from '../signing/data-integrity.ts';
import { buildIssuer } from '../signing/issuer.ts';
import { buildOpenBadge } from '../signing/open-badge.ts';
import type { Credential } from '../store.ts';
import { findCallerCredential } from '../holding/credential-access.ts';
import { bakePng } from './bake-png.ts';
import { bakeSvg } from './bake-svg.ts';
import { readPicture } from './badge-pictures.ts';

/** The first three name the same JSON: common clients parse a reply only if its type contains the word. The pictures have the JSON in them. */
const media_types = [
  'application/vc',
  'application/ld+json',
  'application/json',
  'image/png',
  'image/svg+xml',
] as const;

export const readOpenBadge = operation({
  name: 'credentials.readOpenBadge',
  title: 'Read a credential as an Open Badge',
  summary:
    'Returns the credential as an Open Badges 3.0 credential with an embedded proof (eddsa-rdfc-2022), which is what verifiers and backpacks of badges import; or a picture with that credential baked in.',
  who: ['member', 'platform_admin'],
  input: Type.Object({ credential_id: uuid }),
  output: { 200: document(...media_types) },
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
  run: async (context, { credential_id }) => {
    const credential = await findCallerCredential(context.caller, context.database, credential_id);
    const media_type = selectMediaType(context.request.accept, media_types);
    const badge = await signOpenBadge(context, credential);
    return { media_type, content: bake(credential, media_type, badge), max_age_s: 0 };
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
function bake(
  credential: Credential,
  media_type: (typeof media_types)[number],
  badge: string,
): string | Buffer {
  if (media_type === 'image/png') return bakePng(readPicture(credential, 'badge.png'), badge);
  if (media_type === 'image/svg+xml') return bakeSvg(readPicture(credential, 'badge.svg').toString(), badge);
  return badge;
}
