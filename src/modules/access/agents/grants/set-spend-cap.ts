import { roles } from '#lib/caller.ts';
import { createFieldRefusal, Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { operation } from '#platform/operation.ts';
import { closedObject } from '#platform/schema.ts';
import { nameGrants } from '../name-clients.ts';
import { buildSubject } from './end-grant.ts';
import { hasSpendingTool } from './rules.ts';
import { lockOwnGrant, updateTerms } from './store.ts';
import { grantId, grantWire, readSpendCap, spendCapInput, toGrantWire } from './wire.ts';

export const setSpendCap = operation({
  name: 'agents.setSpendCap',
  title: 'Change what an agent may spend',
  summary:
    'Changes how much an agent may spend in all. Only the user can, shortly after having proven who they are: no capability token reaches this.',
  who: roles,
  input: closedObject({ grant_id: grantId, spend_cap: spendCapInput }),
  output: { 200: grantWire },
  refuses: ['grant_not_found'],
  checks: [({ spend_cap }) => void readSpendCap(spend_cap)],
  run: (context, { grant_id: id, spend_cap: dollars }) =>
    context.transaction(async (tx) => {
      const { caller } = context;
      const grant = await lockOwnGrant(tx, { id, user_id: caller.user_id, now: context.now() });
      if (!grant) throw new Refusal('grant_not_found');
      if (!hasSpendingTool(context.tools, grant.tools))
        throw createFieldRefusal(
          'field_invalid',
          '/spend_cap',
          'does not apply: the agent has no tool that spends money',
        );
      const changed = { ...grant, spend_cap: readSpendCap(dollars) };
      await updateTerms(tx, changed);
      const detail = { grant_id: id, spend_cap: dollars };
      await recordCallerAudit(context, tx, {
        action: 'grants.spend_cap_changed',
        ...buildSubject(caller),
        detail,
      });
      const [named] = await nameGrants(context, tx, [changed]);
      return toGrantWire(named!);
    }),
});
