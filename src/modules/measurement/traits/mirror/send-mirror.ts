import { Type } from 'typebox';
import { createFieldRefusal } from '#lib/refusal.ts';
import { emailInput, runLimitedMail, toCanonicalEmail } from '#modules/access/accounts';
import { operation } from '#platform/operation.ts';
import { closedObject } from '#platform/schema.ts';
import { loadMirror } from './load-mirror.ts';
import { sealLink } from './sealed-mirror.ts';
import { sendMirrorLink } from './send-mirror-link.ts';
import { mirrorInput } from './mirror-reply.ts';

export const sendMirror = operation({
  name: 'traits.sendMirror',
  title: 'Email the link that keeps a first mirror',
  summary:
    'Emails a link that keeps the answers of a first mirror in an account. The reply is the same whether the address has an account or not.',
  who: 'anyone',
  input: closedObject({ mirror: mirrorInput, email: emailInput }),
  output: { 200: closedObject({ message: Type.String() }) },
  refuses: ['mirror_expired', 'too_many_requests'],
  run: async (context, { mirror, email }) => {
    const loaded = await loadMirror(context, context.database, mirror);
    if (loaded.mirror.answers.length === 0)
      throw createFieldRefusal('field_invalid', '/mirror', 'must have at least one answer');
    const link_sealed = sealLink(context, {
      email: toCanonicalEmail(email),
      mirror,
      asked_for_ms: context.now().getTime(),
    });
    // The task looks for the account, so that neither the reply nor its timing depends on it.
    return runLimitedMail(context, email, 'others', () =>
      context.transaction(async (tx) => {
        await context.queue.send(tx, sendMirrorLink, { link_sealed });
        return { message: 'A link that keeps the answers is emailed to this address.' };
      }),
    );
  },
});
