import { Type } from 'typebox';
import { cancelInvitation, computeStatus, lockInvitation } from '#modules/matching/candidates';
import { operation } from '#platform/operation.ts';
import { requireOwnOrder } from '../orders/require-own-order.ts';
import { lockOrder, announceOrder } from '../store.ts';
import { assessmentWire, orderId } from '../wire.ts';

export const cancelAssessment = operation({
  name: 'partners.cancelAssessment',
  summary:
    'Cancels an assessment that Ashby started: an invitation without an answer is cancelled, and no result is sent any more. Repeating it changes nothing.',
  who: ['org_admin'],
  input: Type.Object({ assessment_id: orderId }),
  output: { 200: assessmentWire },
  refuses: ['partner_order_not_found'],
  run: (context, { assessment_id }) =>
    context.transaction(async (tx) => {
      const { caller, now } = context;
      // The invitation before the order, as an answer of the person and its announcement lock them.
      const invitation = await lockInvitation(tx, assessment_id);
      const key = { org_id: caller.org_id, partner: 'ashby' } as const;
      const order = requireOwnOrder(await lockOrder(tx, assessment_id), key);
      // Whatever else has ended it stays as it is.
      if (invitation && computeStatus(invitation, now()) === 'sent')
        await cancelInvitation(context, tx, invitation);
      if (order.cancelled_at === null)
        await announceOrder(tx, { ...order, announced: 'cancelled', cancelled_at: now() }, now());
      return { success: true as const, results: { assessment_id } };
    }),
});
