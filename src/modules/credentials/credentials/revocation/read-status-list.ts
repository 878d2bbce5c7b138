import { Type } from 'typebox';
import { selectMediaType } from '#lib/media-type.ts';
import { Refusal } from '#lib/refusal.ts';
import { document, operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { list_ttl_s, readSignedList } from './sign-list.ts';

const jwt_type = 'application/vc+jwt';
/** All of them name the same JSON. Common clients parse a reply only if its type contains the word. */
const json_types = ['application/vc', 'application/ld+json', 'application/json'] as const;

export const readStatusList = operation({
  name: 'credentials.readStatusList',
  summary:
    'Returns a Bitstring Status List credential (W3C): as vc+jwt, or with an embedded Data Integrity proof if Accept prefers application/vc, application/ld+json or application/json.',
  who: 'anyone',
  input: Type.Object({ list_id: uuid }),
  output: { 200: document(jwt_type, ...json_types) },
  refuses: ['status_list_not_found'],
  samples: { reply: 'eyJhbGciOiJFUzI1NiIsInR5cCI6InZjK2p3dCJ9.eyJ…' },
  run: async (context, { list_id }) => {
    const media_type = selectMediaType(context.request.accept, [jwt_type, ...json_types]);
    const content = await readSignedList(context, list_id, media_type === jwt_type ? 'vc_jwt' : 'embedded');
    if (content === undefined) throw new Refusal('status_list_not_found');
    return { media_type, content, max_age_s: list_ttl_s };
  },
});
