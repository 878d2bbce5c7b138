import type { NewAuditEntry } from '#modules/operations/audit';
import { OperatorError } from '#platform/command-line.ts';
import { task } from '#platform/queue/task.ts';
import { promotePolicy } from './change-policy.ts';

type Promotion = { readonly version: number; readonly actor: NonNullable<NewAuditEntry['actor']> };

/** Does what `policy promote` does, under the name of who asked. A version that is refused stays out of use, and its evaluation says why. */
export const promoteVersion = task<Promotion>({
  name: 'learning.promoteVersion',
  // Who asked sees that it failed, and asks again.
  retry_seconds: [],
  run: async (context, { version, actor }) => {
    try {
      await promotePolicy(context, { version: String(version) }, actor);
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      context.log.info({ version, reason: error.message }, 'the version of the policy was not promoted');
    }
  },
});
