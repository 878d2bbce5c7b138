import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { document, operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { signEmbeddedList } from './embedded-status-list.ts';
import { findPublishedList, list_ttl_s } from './status-lists.ts';

const asJwt = 'application/vc+jwt';
const asJson = 'application/vc';

export const readStatusList = operation({
  name: 'credentials.readStatusList',
  summary:
    'Returns a Bitstring Status List credential (W3C): as vc+jwt, or with an embedded Data Integrity proof if Accept names application/vc or JSON.',
  who: 'anyone',
  input: Type.Object({ list_id: uuid }),
  output: { 200: document(asJwt, asJson) },
  refuses: ['status_list_not_found'],
  run: async (context, { list_id }) => {
    const list = await findPublishedList(context, list_id);
    if (!list) throw new Refusal('status_list_not_found');
    return isJsonPreferred(context.request.accept)
      ? { media_type: asJson, content: await signEmbeddedList(context, list), max_age_s: list_ttl_s }
      : { media_type: asJwt, content: list.vc_jwt, max_age_s: list_ttl_s };
  },
});

const json = /^application\/(vc|vc\+ld\+json|ld\+json|json)$/;

/** Whether Accept names JSON and not the JWT. Quality values are ignored, because no client weighs these two against each other. */
function isJsonPreferred(accept: string | undefined): boolean {
  const names = (accept ?? '').split(',').map((range) => range.split(';', 1)[0]!.trim().toLowerCase());
  return !names.includes(asJwt) && names.some((name) => json.test(name));
}
