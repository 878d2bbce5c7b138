import { Type } from 'typebox';
import { roles } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { operation } from '#platform/operation.ts';
import { buildSubject, endAndRecord } from './end-grant.ts';
import { removeTool } from './rules.ts';
import { lockOwnGrant, updateTerms } from './store.ts';
import { grantId, toolInput } from './wire.ts';

export const removeGrantTool = operation({
  name: 'agents.removeGrantTool',
  title: 'Take a tool from an agent',
  summary:
    'Takes one tool from an agent. Its next call of the tool is refused. Without its last tool, the agent is disconnected.',
  who: roles,
  input: Type.Object({ grant_id: grantId, tool: toolInput }),
  output: { 204: null },
  refuses: ['grant_not_found', 'grant_tool_not_found'],
  run: (context, { grant_id: id, tool }) =>
    context.transaction(async (tx) => {
      const { caller } = context;
      const grant = await lockOwnGrant(tx, { id, user_id: caller.user_id, now: context.now() });
      if (!grant) throw new Refusal('grant_not_found');
      if (!grant.tools.includes(tool)) throw new Refusal('grant_tool_not_found');
      const terms = removeTool(context.tools, grant, tool);
      await updateTerms(tx, { id, ...terms });
      const detail = { grant_id: id, tool };
      await recordCallerAudit(context, tx, {
        action: 'grants.tool_removed',
        ...buildSubject(caller),
        detail,
      });
      if (terms.tools.length === 0) await endAndRecord(context, tx, grant, caller);
      return null;
    }),
});
