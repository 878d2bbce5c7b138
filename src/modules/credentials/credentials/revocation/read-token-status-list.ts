import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { document, operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { list_ttl_s, readSignedList } from './sign-list.ts';

const media_type = 'application/statuslist+jwt';

export const readTokenStatusList = operation({
  name: 'credentials.readTokenStatusList',
  summary: 'Returns a Status List Token (IETF), to which SD-JWT VCs and attestation tokens refer.',
  who: 'anyone',
  input: Type.Object({ list_id: uuid }),
  output: { 200: document(media_type) },
  refuses: ['status_list_not_found'],
  samples: { reply: 'eyJhbGciOiJFUzI1NiIsInR5cCI6InN0YXR1c2xpc3Qrand0In0.eyJ…' },
  run: async (context, { list_id }) => {
    const content = await readSignedList(context, list_id, 'token_jwt');
    if (content === undefined) throw new Refusal('status_list_not_found');
    return { media_type, content, max_age_s: list_ttl_s };
  },
});
