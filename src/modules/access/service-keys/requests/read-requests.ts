import { findLinkedEntityId, type LoggedInCaller } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import type { Reader } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { findKey } from '../store.ts';
import { flushRequests } from './record-request.ts';
import { kept_days, kept_max } from './rules.ts';
import { listRequests } from './store.ts';
import { toRequestWire } from './wire.ts';

type RequestReader = Pick<Services, 'memory' | 'now'> & {
  readonly database: Reader;
  readonly caller: LoggedInCaller;
};

const day_ms = 86_400_000;

/**
 * Reads the recent requests by a key of the caller's organisation or of the platform.
 *
 * @throws Refusal `service_key_not_found`.
 */
export async function readRequests(context: RequestReader, id: string) {
  const { database, caller, now } = context;
  if (!(await findKey(database, { id, org_id: findLinkedEntityId(caller) })))
    throw new Refusal('service_key_not_found');
  await flushRequests(context);
  const since = new Date(now().getTime() - kept_days * day_ms);
  return { data: (await listRequests(database, id, since, kept_max)).map(toRequestWire) };
}
