import type { Static } from 'typebox';
import { createFieldRefusal, Refusal } from '#lib/refusal.ts';
import { lockMember, memberChanged } from '#modules/people/members';
import { checkIfMatch } from '#platform/etag.ts';
import { operation } from '#platform/operation.ts';
import { type Preferences, defaultPreferences } from '#modules/matching/engine';
import { findPreferences, upsertPreferences } from './store.ts';
import { preferencesInput, preferencesWire } from './wire.ts';

export const setPreferences = operation({
  name: 'matches.setPreferences',
  title: 'Set matching preferences',
  summary:
    'Replaces the caller’s matching preferences and computes the caller’s matches again. A field that is left out gets its default value.',
  who: ['member'],
  input: preferencesInput,
  output: { 200: preferencesWire },
  etag: true,
  refuses: ['member_not_found'],
  checks: [
    ({ salary_min = null, salary_currency = null }) => {
      if ((salary_min === null) !== (salary_currency === null))
        throw createFieldRefusal(
          'field_invalid',
          '/salary_currency',
          'must be given if and only if salary_min is given',
        );
    },
  ],
  run: (context, input) =>
    context.transaction(async (tx) => {
      const { caller, queue, now } = context;
      const preferences = completePreferences(input);
      // Serialises the requests of one member, even before there are preferences to lock.
      const [member, before] = await Promise.all([
        lockMember(tx, caller.member_id),
        findPreferences(tx, caller.member_id),
      ]);
      if (!member) throw new Refusal('member_not_found');
      await checkIfMatch(context.request, () => before ?? defaultPreferences);
      const stored = await upsertPreferences(tx, caller.member_id, preferences, now());
      await queue.emit(tx, memberChanged, { member_id: caller.member_id });
      return stored;
    }),
});

/** Fills in the defaults. */
function completePreferences(input: Static<typeof preferencesInput>): Preferences {
  const {
    clearance_held,
    remote_policies = null,
    salary_min = null,
    salary_currency = null,
    values = null,
  } = input;
  return {
    clearance_held: clearance_held ?? defaultPreferences.clearance_held,
    remote_policies,
    salary_min,
    salary_currency,
    values,
  };
}
