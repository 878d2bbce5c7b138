import { isOrgRole } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { recordAudit } from '#modules/operations/audit';
import { findAccount } from '#modules/access/accounts';
import type { Context } from '#platform/operation.ts';

/** Records a refused login in the audit log of the organisation: only where its provider has proven who logs in, so that no stranger fills the log. */
export async function recordRefusal(
  context: Context<never>,
  org_id: string,
  email: string,
  error: unknown,
): Promise<never> {
  if (error instanceof Refusal)
    await context.transaction(async (tx) => {
      const account = await findAccount(tx, email);
      const isColleague = account && isOrgRole(account.role) && account.linked_entity_id === org_id;
      await recordAudit(tx, {
        now: context.now(),
        actor: null,
        action: 'auth.login_failed',
        org_id,
        detail: { factor: 'sso', reason: error.code, ...(isColleague && { user_id: account.id }) },
      });
    });
  throw error;
}

/** Logs a refused login for the operator. The reason repeats nothing from the response except codes of the standards. */
export function createRefusalLogger(
  { log, request }: Context<never>,
  org_id: string,
): (error: unknown) => never {
  return (error) => {
    if (error instanceof Refusal)
      log.warn(
        { request_id: request.id, org_id, code: error.code, reason: error.message },
        'single sign-on refused',
      );
    throw error;
  };
}
