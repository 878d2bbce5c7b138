import { Type } from 'typebox';
import { createFieldRefusal } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { closedObject } from '#platform/schema.ts';
import { addOrder, orderRefusals } from '../orders/add-order.ts';
import type { Connection } from '../rules.ts';
import { callbackUrl, candidateEmail, orderId, testId } from '../wire.ts';

export const sendTest = operation({
  name: 'partners.sendTest',
  summary:
    'Invites a candidate of Greenhouse to a job. Of the candidate, only the address is stored. A repeated request, by its `url`, invites nobody again.',
  who: ['org_admin'],
  input: Type.Object({
    partner_test_id: testId,
    // Names, phone number and résumé are not read.
    candidate: Type.Object({ email: candidateEmail }),
    url: callbackUrl,
  }),
  output: { 200: closedObject({ partner_interview_id: orderId }) },
  refuses: [...orderRefusals],
  run: async (context, { partner_test_id, candidate, url }) => ({
    partner_interview_id: await addOrder(context, {
      partner: 'greenhouse',
      job_id: partner_test_id,
      email: candidate.email,
      request_name: [url],
      findCallback: (connection) => requireOrigin(url, connection),
    }),
  }),
});

/** Otherwise a forged request could have the key of the organisation sent to any server. */
function requireOrigin(url: string, { origin }: Connection): string {
  if (!URL.canParse(url) || new URL(url).origin !== origin)
    throw createFieldRefusal('field_invalid', '/url', `must be a URL of ${origin}`);
  return url;
}
