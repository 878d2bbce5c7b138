import { operation } from '#platform/operation.ts';
import { planMemberNotice } from './rules.ts';
import { changeSettings } from './settings.ts';
import { replaceMemberNotice } from './store-member-notices.ts';
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
  run: (context, settings) =>
    changeSettings(context, settings, toMemberWire, async (tx, { before, after }) => {
      if (before.matches_found === 'weekly' || after.matches_found !== 'weekly') return;
      const { user_id, member_id } = context.caller;
      await replaceMemberNotice(
        tx,
        planMemberNotice({ user_id, kind: 'matches_found', member_id }, context.now()),
      );
    }),
});
