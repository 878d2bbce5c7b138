import { operation } from '#platform/operation.ts';
import { changeSettings } from './settings.ts';
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
  run: (context, settings) => changeSettings(context, settings, toMemberWire),
});
