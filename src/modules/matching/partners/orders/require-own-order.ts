import { Refusal } from '#lib/refusal.ts';
import type { Partner } from '#modules/matching/candidates';
import type { Order } from '../rules.ts';

/** Checks that an order is one of the organisation by the system. @throws Refusal `partner_order_not_found`. */
export function requireOwnOrder(
  order: Order | undefined,
  { org_id, partner }: { readonly org_id: string; readonly partner: Partner },
): Order {
  if (order?.org_id !== org_id || order.partner !== partner) throw new Refusal('partner_order_not_found');
  return order;
}
