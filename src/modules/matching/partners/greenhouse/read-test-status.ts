import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { closedObject, nullable } from '#platform/schema.ts';
import { buildLink } from '../build-link.ts';
import { findView } from '../find-view.ts';
import { requireOwnOrder } from '../orders/require-own-order.ts';
import { decideToldView, describeTier, provisional_note, stateWords, type View } from '../rules.ts';
import { findOrder } from '../store.ts';
import { orderId } from '../wire.ts';

const statusWire = closedObject({
  partner_status: Type.String(),
  partner_profile_url: nullable(Type.String()),
  metadata: Type.Record(Type.String(), Type.String()),
});

export const readTestStatus = operation({
  name: 'partners.readTestStatus',
  summary:
    'Reads what became of a test that Greenhouse sent: with the tier in words and a link while the person agrees, and no score.',
  who: ['org_admin'],
  input: Type.Object({ partner_interview_id: orderId }),
  output: { 200: statusWire },
  refuses: ['partner_order_not_found'],
  run: async (context, { partner_interview_id }) => {
    const { caller, config, database } = context;
    const key = { org_id: caller.org_id, partner: 'greenhouse' } as const;
    const order = requireOwnOrder(await findOrder(database, partner_interview_id), key);
    return describeView(config, decideToldView(await findView(context, database, order), order));
  },
});

function describeView(config: Parameters<typeof buildLink>[0], view: View) {
  if (view.state !== 'complete')
    return {
      // Greenhouse asks again until it reads `complete`, and shows other words as they are.
      partner_status: view.state === 'recalled' ? 'withdrawn' : view.state,
      partner_profile_url: null,
      metadata: { Status: stateWords[view.state] },
    };
  return {
    partner_status: 'complete',
    partner_profile_url: buildLink(config, view),
    metadata: {
      Tier: describeTier(view.result),
      ...(view.result.provisional && { Note: provisional_note }),
    },
  };
}
