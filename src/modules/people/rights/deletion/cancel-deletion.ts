import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { recordAudit } from '#modules/operations/audit';
import { queueNotice, reopenAccount, takeCancellationToken } from '#modules/access/accounts';
import { recordDeletionCancelled } from '#modules/people/members';
import { operation } from '#platform/operation.ts';
import { closedObject, field } from '#platform/schema.ts';
import { sampleTokens } from '#platform/schema-samples.ts';
import { deleteDeletionRequest } from '../store.ts';

export const cancelDeletion = operation({
  name: 'rights.cancelDeletion',
  title: 'Cancel the deletion of an account',
  summary:
    'Cancels the deletion of an account with the token in the email that confirmed it, until the account is erased. The user can then log in again.',
  who: 'anyone',
  input: closedObject({
    token: field(
      Type.String({ maxLength: 200 }),
      'The token of the link in the mail that confirmed the deletion.',
      sampleTokens.mail,
    ),
  }),
  output: { 204: null },
  refuses: ['cancellation_token_invalid'],
  run: (context, { token }) =>
    context.transaction(async (tx) => {
      const now = context.now();
      const owner = await takeCancellationToken(tx, token, now);
      // The erasure locks the request, so either it has not started, or there is nothing left to keep.
      if (!owner || (await deleteDeletionRequest(tx, owner.member_id)) === 0)
        throw new Refusal('cancellation_token_invalid');
      const { user_id, member_id } = owner;
      await recordDeletionCancelled(context, tx, member_id);
      await reopenAccount(context, tx, user_id);
      await recordAudit(tx, {
        now,
        actor: { user_id, role: 'member' },
        action: 'rights.deletion_cancelled',
        member_id,
      });
      await queueNotice(context, tx, user_id, 'deletion_cancelled');
      return null;
    }),
});
