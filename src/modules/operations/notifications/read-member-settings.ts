import { operation } from '#platform/operation.ts';
import { readSettings } from './settings.ts';
import { memberSettingsWire, toMemberWire } from './wire.ts';

export const readMemberSettings = operation({
  name: 'notifications.readMemberSettings',
  title: 'Read the email settings of a member',
  summary:
    'Reads what the caller is emailed about, and when. Emails about logins and the account are always sent.',
  who: ['member'],
  output: { 200: memberSettingsWire },
  etag: true,
  run: async ({ database, caller }) => toMemberWire(await readSettings(database, caller.user_id)),
});
