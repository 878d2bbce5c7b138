import { Type } from 'typebox';
import { findLinkedEntityId, roles } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { operation, reply } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { buildAuditSubject } from '../audit-subject.ts';
import { clearedRefreshCookie } from './refresh-cookie.ts';
import { revokeOwnSession } from './store.ts';
import { recordRevokedSession } from './watch-sessions.ts';

export const endSession = operation({
  name: 'accounts.endSession',
  summary: 'Ends one of the user’s sessions, which logs out that device at once.',
  who: roles,
  input: Type.Object({ session_id: uuid }),
  output: { 204: null },
  refuses: ['session_not_found'],
  cookies: { sets: ['refresh_token'] },
  run: async (context, { session_id: id }) => {
    const { caller } = context;
    const now = context.now();
    await context.transaction(async (tx) => {
      tx.afterCommit(() => recordRevokedSession(context, id, now));
      const count = await revokeOwnSession(tx, { id, user_id: caller.user_id, now });
      if (count === 0) throw new Refusal('session_not_found');
      const subject = buildAuditSubject({ role: caller.role, linked_entity_id: findLinkedEntityId(caller) });
      const detail = { session_id: id };
      await recordCallerAudit(context, tx, { action: 'auth.session_ended', ...subject, detail });
    });
    return reply(204, null, id === caller.session_id ? [clearedRefreshCookie] : []);
  },
});
