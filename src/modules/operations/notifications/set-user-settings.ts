import { orgRoles } from '#lib/caller.ts';
import { operation } from '#platform/operation.ts';
import { changeSettings } from './settings.ts';
import { userSettingsInput, userSettingsWire, toUserWire } from './wire.ts';

export const setUserSettings = operation({
  name: 'notifications.setUserSettings',
  title: 'Choose the emails of a user',
  summary: 'Sets what the caller is emailed about, and when. Every user sets this for themselves.',
  who: orgRoles,
  input: userSettingsInput,
  output: { 200: userSettingsWire },
  etag: true,
  run: (context, settings) => changeSettings(context, settings, toUserWire),
});
