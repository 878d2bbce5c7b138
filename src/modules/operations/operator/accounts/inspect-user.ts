import { Type } from 'typebox';
import { formatExternalId } from '#lib/external-id.ts';
import { requireFound } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { computeEngagementLevel, findMember } from '#modules/people/members';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { accountSearch, buildAuditSubject, countOpenSessions } from '#modules/access/accounts';
import { nameAccounts } from './name-accounts.ts';
import { accountDetailWire, toWire } from './wire.ts';

export const inspectUser = operation({
  name: 'operator.inspectUser',
  title: 'Read a user',
  summary:
    'Reads the account of any user. The reading is recorded in the audit log, where a member or an organisation can see it. Nothing that the service has measured is shown.',
  who: ['platform_admin'],
  input: Type.Object({ user_id: uuid }),
  output: { 200: accountDetailWire },
  refuses: ['user_not_found'],
  writes_on_read: 'The audit log says which administrator of the platform has read the account.',
  run: (context, { user_id }) =>
    context.transaction(async (tx) => {
      const found = requireFound(await accountSearch.findAccountRow(tx, user_id), 'user_not_found');
      const [account] = await nameAccounts(tx, [found]);
      const { role, member_id, org_id, id } = found;
      const member = member_id === null ? undefined : await findMember(tx, member_id);
      const open_sessions = await countOpenSessions(tx, { user_id: id, now: context.now() });
      const subject = buildAuditSubject({ role, linked_entity_id: member_id ?? org_id });
      await recordCallerAudit(context, tx, {
        action: 'auth.account_read',
        ...subject,
        detail: { user_id: id },
      });
      return {
        ...toWire(account!),
        external_id: member ? formatExternalId('MBR', member.id) : null,
        engagement_level: member ? computeEngagementLevel(member) : null,
        open_sessions,
      };
    }),
});
