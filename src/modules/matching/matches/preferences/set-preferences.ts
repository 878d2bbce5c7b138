import { Type, type Static } from 'typebox';
import { createFieldRefusal, Refusal } from '#lib/refusal.ts';
import { lockMember, memberChanged } from '#modules/people/members';
import { checkIfMatch } from '#platform/etag.ts';
import { operation } from '#platform/operation.ts';
import { defaultPreferences } from '#modules/matching/engine';
import { findPreferences, upsertPreferences } from './store.ts';
import { preferencesResource } from './resource.ts';

const input = Type.Object(preferencesResource.createInput);
type Input = Static<typeof input>;

export const setPreferences = operation({
  name: 'matches.setPreferences',
  title: 'Set matching preferences',
  summary:
    'Replaces the caller’s matching preferences and computes the caller’s matches again. A field that is left out gets its default value.',
  who: ['member'],
  input,
  output: { 200: preferencesResource.wire },
  etag: true,
  refuses: ['member_not_found'],
  checks: [checkSalary],
  run: (context, sent) =>
    context.transaction(async (tx) => {
      const { caller, queue, now } = context;
      // Serialises the requests of one member, even before there are preferences to lock.
      const [member, before] = await Promise.all([
        lockMember(tx, caller.member_id),
        findPreferences(tx, caller.member_id),
      ]);
      if (!member) throw new Refusal('member_not_found');
      await checkIfMatch(context.request, () =>
        before ? preferencesResource.toWire(before) : defaultPreferences,
      );
      const stored = await upsertPreferences(tx, {
        ...preferencesResource.complete(sent),
        member_id: caller.member_id,
        updated_at: now(),
      });
      await queue.emit(tx, memberChanged, { member_id: caller.member_id });
      return preferencesResource.toWire(stored);
    }),
});

function checkSalary({ salary_min = null, salary_currency = null }: Input): void {
  if ((salary_min === null) !== (salary_currency === null))
    throw createFieldRefusal(
      'field_invalid',
      '/salary_currency',
      'must be given if and only if salary_min is given',
    );
}
