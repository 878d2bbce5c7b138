import { Type } from 'typebox';
import { recordAudit } from '#modules/audit';
import { findLinkedEntityId, roles } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { operation, reply } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { clearedRefreshCookie } from './refresh-cookie.ts';
import { updateOwnSessionRevoked } from './store.ts';
import { buildAuditSubject } from '../audit-subject.ts';
import { recordRevokedSession } from './watch-sessions.ts';

export const endSession = operation({
  name: 'auth.endSession',
  summary: 'Signs one of the user’s devices out, at once.',
  who: roles,
  input: Type.Object({ session_id: uuid }),
  output: { 204: null },
  refuses: ['session_not_found'],
  run: async (context, { session_id }) => {
    const { caller } = context;
    const now = context.now();
    const id = session_id.toLowerCase();
    await context.transaction(async (tx) => {
      tx.afterCommit(() => recordRevokedSession(context, id, now));
      const { user_id } = caller;
      if ((await updateOwnSessionRevoked(tx, { id, user_id, now })) === 0)
        throw new Refusal('session_not_found');
      const subject = buildAuditSubject({ role: caller.role, linked_entity_id: findLinkedEntityId(caller) });
      const detail = { session_id: id };
      await recordAudit(tx, {
        now,
        actor_user_id: user_id,
        action: 'auth.session_ended',
        ...subject,
        detail,
      });
    });
    return reply(204, null, id === caller.session_id ? [clearedRefreshCookie] : []);
  },
});
