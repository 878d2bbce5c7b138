import { OutboundError } from '#platform/outbound/outbound.ts';
import { task, type TaskContext } from '#platform/queue/task.ts';
import { buildUpdate } from './build-update.ts';
import { findView } from '../find-view.ts';
import { decideToldView, nameView, type Connection, type Order } from '../rules.ts';
import { unsealKey } from '../sealed-keys.ts';
import { findConnection, findOrder } from '../store.ts';

type Data = { readonly invitation_id: string; readonly org_id: string };

const timeout_ms = 20_000;
const response_bytes_max = 4_096;
/** A view can change while it is sent, and the system must not keep the older one. */
const rounds_max = 5;

/**
 * Tells the system of an order what it may know now. A system that does not answer is tried again for two days; what it may know is decided at each attempt,
 * so that a result that has ended is never sent late.
 */
export const reportView = task<Data>({
  name: 'partners.reportView',
  retry_seconds: [30, 300, 1_800, 7_200, 21_600, 43_200, 86_400],
  parallel: 4,
  claimed_alone: true,
  group_by: ({ org_id }) => org_id,
  merge_by: ({ invitation_id }) => invitation_id,
  run: async (context, { invitation_id }) => {
    for (let round = 0; round < rounds_max; round++) {
      const sent = await sendOnce(context, invitation_id);
      if (sent === undefined || sent === (await readTold(context, invitation_id))?.name) return;
    }
    throw new Error('the view of an order changed at every attempt to send it');
  },
});

async function readTold(context: TaskContext, invitation_id: string) {
  const { database } = context;
  const order = await findOrder(database, invitation_id);
  if (!order) return undefined;
  const view = decideToldView(await findView(context, database, order), order);
  return { order, view, name: nameView(view) };
}

/** @returns the name of the view that was sent; undefined if nothing may be sent any more. */
async function sendOnce(context: TaskContext, invitation_id: string): Promise<string | undefined> {
  const told = await readTold(context, invitation_id);
  const connection = told && (await findConnection(context.database, told.order));
  // Another origin is another system, which has no such order.
  if (!connection || new URL(told.order.callback_url).origin !== connection.origin) return undefined;
  const isAshby = told.order.partner === 'ashby';
  const body = isAshby ? JSON.stringify(buildUpdate(context, invitation_id, told.view)) : undefined;
  const { status } = await context.fetchOutbound(told.order.callback_url, {
    method: isAshby ? 'POST' : 'PATCH',
    headers: buildHeaders(context, told.order, connection),
    ...(body !== undefined && { body }),
    timeout_ms,
    max_bytes: response_bytes_max,
    whenTooLong: 'cut',
  });
  if (status < 200 || status > 299) throw new OutboundError('unreachable', `status ${status}`, status);
  return told.name;
}

/** Both systems know the organisation by a key, as the user name of HTTP Basic with an empty password. */
function buildHeaders(
  { secrets }: TaskContext,
  { partner }: Order,
  { key_sealed }: Connection,
): Readonly<Record<string, string>> {
  const credentials = Buffer.from(`${unsealKey(secrets, key_sealed)}:`).toString('base64');
  return {
    authorization: `Basic ${credentials}`,
    'user-agent': 'Tessera',
    ...(partner === 'ashby' && {
      'content-type': 'application/json',
      accept: 'application/json; version=1',
    }),
  };
}
