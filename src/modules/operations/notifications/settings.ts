import type { OrgRole } from '#lib/caller.ts';
import type { Reader, Transaction } from '#platform/database/database.ts';
import { checkIfMatch } from '#platform/etag.ts';
import type { Context } from '#platform/operation.ts';
import { defaultSettings, type Settings } from './rules.ts';
import { findSettings, lockSettings, updateSettings } from './store.ts';

/** Reads what a user is emailed about, with the defaults for a user who has chosen nothing. */
export async function readSettings(db: Reader, user_id: string): Promise<Settings> {
  return (await findSettings(db, user_id)) ?? defaultSettings;
}

/**
 * Changes some settings of the caller, unless they have changed since the caller read them.
 *
 * @param toWire - how the caller's role sees settings; `If-Match` is compared with it.
 * @param plan - what follows in the same transaction, from the settings before and after it.
 * @throws Refusal `precondition_failed`.
 */
export function changeSettings<Wire extends object>(
  context: Pick<Context<'member' | OrgRole>, 'caller' | 'now' | 'request' | 'transaction'>,
  settings: Partial<Settings>,
  toWire: (settings: Settings) => Wire,
  plan?: (tx: Transaction, change: { readonly before: Settings; readonly after: Settings }) => Promise<void>,
): Promise<Wire> {
  const { user_id } = context.caller;
  return context.transaction(async (tx) => {
    const now = context.now();
    const before = await lockSettings(tx, user_id, defaultSettings, now);
    await checkIfMatch(context.request, () => toWire(before));
    const after = await updateSettings(tx, user_id, { ...before, ...settings }, now);
    await plan?.(tx, { before, after });
    return toWire(after);
  });
}
