import { orgRoles } from '#lib/caller.ts';
import { operation } from '#platform/operation.ts';
import { readSettings } from './settings.ts';
import { userSettingsWire, toUserWire } from './wire.ts';

export const readUserSettings = operation({
  name: 'notifications.readUserSettings',
  title: 'Read the email settings of a user',
  summary: 'Reads what the caller is emailed about, and when. Every user sets this for themselves.',
  who: orgRoles,
  output: { 200: userSettingsWire },
  etag: true,
  run: async ({ database, caller }) => toUserWire(await readSettings(database, caller.user_id)),
});
