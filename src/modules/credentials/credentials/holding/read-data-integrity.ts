import { Type } from 'typebox';
import { selectMediaType } from '#lib/media-type.ts';
import { document, operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { findListKey } from '../revocation/status-lists.ts';
import { addProof } from '../signing/data-integrity.ts';
import { buildVerifiableCredential } from '../signing/verifiable-credential.ts';
import { buildIssuer } from '../signing/issuer.ts';
import { findCallerCredential } from './credential-access.ts';

/** All of them name the same JSON. Common clients parse a reply only if its type contains the word. */
const media_types = ['application/vc', 'application/ld+json', 'application/json'] as const;

export const readDataIntegrity = operation({
  name: 'credentials.readDataIntegrity',
  title: 'Read a credential with a Data Integrity proof',
  summary:
    'Returns the W3C credential as JSON-LD with an embedded Data Integrity proof (ecdsa-rdfc-2019), for verifiers that do not support JWTs.',
  who: ['member', 'platform_admin'],
  input: Type.Object({ credential_id: uuid }),
  output: { 200: document(...media_types) },
  refuses: ['credential_not_found'],
  samples: {
    reply: {
      '@context': ['https://www.w3.org/ns/credentials/v2', 'https://tessera.example/contexts/credentials/v1'],
      type: ['VerifiableCredential', 'TraitAttestation'],
      issuer: 'did:web:tessera.example',
      validFrom: '2026-03-05T10:20:00Z',
      proof: { type: 'DataIntegrityProof', cryptosuite: 'ecdsa-rdfc-2019', proofValue: 'z4oey5q2M3…' },
    },
  },
  run: async (context, { credential_id }) => {
    const credential = await findCallerCredential(context.caller, context.database, credential_id);
    const unsecured = buildVerifiableCredential(buildIssuer(context.config.publicUrl), credential);
    const key = await findListKey(context, credential.status_list_id);
    const media_type = selectMediaType(context.request.accept, media_types);
    return { media_type, content: JSON.stringify(await addProof(context, key, unsecured)), max_age_s: 0 };
  },
});
