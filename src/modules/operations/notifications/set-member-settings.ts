import { checkIfMatch } from '#platform/etag.ts';
import { operation } from '#platform/operation.ts';
import { defaultSettings } from './rules.ts';
import { lockSettings, upsertSettings } from './store.ts';
import { memberSettingsInput, memberSettingsWire, toMemberWire } from './wire.ts';

export const setMemberSettings = operation({
  name: 'notifications.setMemberSettings',
  title: 'Choose the emails of a member',
  summary:
    'Sets what the caller is emailed about, and when. Emails about logins and the account are always sent.',
  who: ['member'],
  input: memberSettingsInput,
  output: { 200: memberSettingsWire },
  etag: true,
  refuses: [],
  run: (context, settings) =>
    context.transaction(async (tx) => {
      const { user_id } = context.caller;
      const before = await lockSettings(tx, { user_id, defaults: defaultSettings }, context.now());
      await checkIfMatch(context.request, () => toMemberWire(before));
      const change = { user_id, settings, defaults: defaultSettings };
      return toMemberWire(await upsertSettings(tx, change, context.now()));
    }),
});
