import type { Static } from 'typebox';
import { createFieldRefusal } from '#lib/refusal.ts';
import { memberChanged } from '#modules/members';
import { operation } from '#platform/operation.ts';
import { defaultPreferences, type Preferences, type Values } from '../engine/terms.ts';
import { preferencesInput, preferencesWire } from './wire.ts';
import { upsertPreferences } from './store.ts';

export const setPreferences = operation({
  name: 'matching.setPreferences',
  summary:
    'Replaces what the caller wants of a job: a field that is left out counts as not said. The caller’s matches are computed anew.',
  who: ['member'],
  input: preferencesInput,
  output: { 200: preferencesWire },
  refuses: [],
  run: (context, sent) =>
    context.transaction(async (tx) => {
      const { caller, queue, now } = context;
      const preferences = completePreferences(sent);
      await upsertPreferences(tx, caller.member_id, preferences, now());
      await queue.emit(tx, memberChanged, { member_id: caller.member_id });
      return preferences;
    }),
});

/** @throws Refusal `field_invalid` where a salary has no currency, or a currency no salary. */
function completePreferences(sent: Static<typeof preferencesInput>): Preferences {
  const { salary_min = null, salary_currency = null } = sent;
  if ((salary_min === null) !== (salary_currency === null))
    throw createFieldRefusal('field_invalid', '/salary_currency', 'goes with salary_min: both or neither');
  return {
    clearance_held: sent.clearance_held ?? defaultPreferences.clearance_held,
    remote_policies: sent.remote_policies ?? null,
    salary_min,
    salary_currency,
    values: (sent.values as Values | null | undefined) ?? null,
  };
}
