import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { formatExternalId } from '#lib/external-id.ts';
import { Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { operation } from '#platform/operation.ts';
import { announced_max, computeFirstAnnounced, type TopUp } from './rules.ts';
import { insertAnnounced, listAnnounced, lockAnnouncements } from './store.ts';
import { announcementWire, buildAmountInput, readAmount, toAnnouncementWire } from './wire.ts';

export const announceTopUp = operation({
  name: 'books.announceTopUp',
  title: 'Announce a top-up',
  summary:
    'Announces money for the prepaid balance, and returns the reference to write on the transfer. The balance grows when the operator has recorded the money, by what has arrived.',
  who: ['org_admin'],
  input: Type.Object({ amount: buildAmountInput('How much you are going to send, in US dollars.') }),
  output: { 201: announcementWire },
  refuses: ['too_many_transactions'],
  idempotent: true,
  checks: [({ amount }) => void readAmount(amount, '/amount')],
  run: (context, { amount }) =>
    context.transaction(async (tx) => {
      const { caller, config, now } = context;
      const { org_id, user_id } = caller;
      const at = now();
      await lockAnnouncements(tx, org_id);
      const waiting = await listAnnounced(tx, org_id, computeFirstAnnounced(at), announced_max);
      if (waiting.length >= announced_max)
        throw new Refusal('too_many_transactions', {
          detail: `${announced_max} announced top-ups wait for their money. Use the reference of one of them.`,
        });
      const announced = readAmount(amount, '/amount');
      const reference = formatExternalId('TOP', randomUUID());
      // One of a million million references: the next attempt has another one.
      if (!(await insertAnnounced(tx, { reference, org_id, amount: announced, user_id, at })))
        throw new Error(`the reference ${reference} is taken`);
      await recordCallerAudit(context, tx, {
        action: 'ledger.top_up_announced',
        org_id,
        detail: { reference },
      });
      const topUp: TopUp = {
        reference,
        org_id,
        announced,
        announced_at: at,
        recorded: null,
        recorded_at: null,
      };
      return toAnnouncementWire(topUp, config.top_up_payee);
    }),
});
