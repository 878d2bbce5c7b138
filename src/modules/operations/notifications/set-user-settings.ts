import { orgRoles } from '#lib/caller.ts';
import { checkIfMatch } from '#platform/etag.ts';
import { operation } from '#platform/operation.ts';
import { defaultSettings } from './rules.ts';
import { lockSettings, upsertSettings } from './store.ts';
import { userSettingsInput, userSettingsWire, toUserWire } from './wire.ts';

export const setUserSettings = operation({
  name: 'notifications.setUserSettings',
  title: 'Choose the emails of a user',
  summary: 'Sets what the caller is emailed about, and when. Every user sets this for themselves.',
  who: orgRoles,
  input: userSettingsInput,
  output: { 200: userSettingsWire },
  etag: true,
  refuses: [],
  run: (context, settings) =>
    context.transaction(async (tx) => {
      const { user_id } = context.caller;
      const before = await lockSettings(tx, { user_id, defaults: defaultSettings }, context.now());
      await checkIfMatch(context.request, () => toUserWire(before));
      const change = { user_id, settings, defaults: defaultSettings };
      return toUserWire(await upsertSettings(tx, change, context.now()));
    }),
});
