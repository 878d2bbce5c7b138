import type { TaskContext } from '#platform/queue/task.ts';
import { findView } from '../find-view.ts';
import { isFinal, nameView } from '../rules.ts';
import { lockOrder, announceOrder } from '../store.ts';
import { reportView } from './report-view.ts';

/** Queues a notice to the system of an order if it may know something else now than was announced last. */
export async function announceView(
  context: Pick<TaskContext, 'database' | 'now' | 'queue'>,
  invitation_id: string,
): Promise<void> {
  const { database, now, queue } = context;
  await database.transaction(async (tx) => {
    const order = await lockOrder(tx, invitation_id);
    if (!order) return;
    const view = await findView(context, tx, order);
    const announced = nameView(view);
    if (announced === order.announced) return;
    const had_result = order.had_result || view.state === 'complete';
    await announceOrder(tx, { ...order, announced, had_result }, isFinal(view) ? now() : null);
    await queue.send(tx, reportView, { invitation_id, org_id: order.org_id });
  });
}
