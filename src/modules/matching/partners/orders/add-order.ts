import { Refusal } from '#lib/refusal.ts';
import { runLimitedMail } from '#modules/access/accounts';
import { addInvitation, addingRefusals, type Partner } from '#modules/matching/candidates';
import { lockOwnOrganisation } from '#modules/organisations/org-users';
import type { Reader } from '#platform/database/database.ts';
import type { Context } from '#platform/operation.ts';
import { hashToken } from '#platform/security/hash-token.ts';
import { isReplaceable, type Connection } from '../rules.ts';
import { findConnection, findOrderByRequest, insertOrder } from '../store.ts';

/** Why an assessment cannot be ordered. */
export const orderRefusals = [...addingRefusals, 'partner_not_connected'] as const;

/** What a system orders. */
export type NewOrder = {
  readonly partner: Partner;
  readonly job_id: string;
  readonly email: string;
  /** What the system names the order by: a repeated request has the same. */
  readonly request_name: readonly string[];
  /** Where the system takes notice, at the origin of the connection. @throws Refusal `field_invalid`. */
  readonly findCallback: (connection: Connection) => string;
};

/**
 * Invites a person to a job for an applicant tracking system. A repeated request finds the first order, and invites nobody.
 *
 * @returns the id by which the system knows the order.
 * @throws Refusal one of {@link orderRefusals}, `field_invalid`.
 */
export async function addOrder(context: Context<'org_admin'>, order: NewOrder): Promise<string> {
  const { caller, database, now } = context;
  const { partner, job_id, email } = order;
  const { org_id } = caller;
  const connection = await findConnection(database, { org_id, partner });
  if (!connection) throw new Refusal('partner_not_connected');
  const callback_url = order.findCallback(connection);
  const request_hash = hashToken(JSON.stringify([partner, ...order.request_name]));
  const findRepeated = async (db: Reader) => {
    const found = await findOrderByRequest(db, { org_id, partner }, request_hash);
    return found && !isReplaceable(found) ? found.invitation_id : undefined;
  };
  // Before the emails to the address are counted: a repetition sends none.
  const repeated = await findRepeated(database);
  if (repeated !== undefined) return repeated;
  return runLimitedMail(context, email, 'others', () =>
    context.transaction(async (tx) => {
      // Requests at the same time wait for each other here, so the second finds the order of the first.
      await lockOwnOrganisation(tx, caller);
      const found = await findRepeated(tx);
      if (found !== undefined) return found;
      const added = { job_id, email, external_ref: null, metadata: {}, partner };
      const { id: invitation_id } = await addInvitation(context, tx, added);
      const created = { announced: 'sent', had_result: false, cancelled_at: null, created_at: now() };
      await insertOrder(tx, { invitation_id, org_id, partner, callback_url, ...created }, request_hash);
      return invitation_id;
    }),
  );
}
