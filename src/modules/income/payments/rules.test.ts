import fc from 'fast-check';
import { expect, test } from 'vitest';
import { takePayment } from '#modules/income/payments';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { buildPaidRead } from '#test/modules/payments.ts';
import { paymentStates, continuePayment, type PaymentState } from './rules.ts';

const app = await startApp();

const state = fc.constantFrom(...paymentStates);

/** The states that may follow each state, as the trigger `guard_payment` has them. */
const nextStates: Readonly<Record<PaymentState, readonly PaymentState[]>> = {
  claimed: ['settling', 'failed'],
  settling: ['settled', 'failed', 'unknown'],
  unknown: ['settling', 'settled', 'failed'],
  // A signed authorisation can be carried out until it expires, by anyone who has it.
  failed: ['settling', 'settled'],
  settled: ['recorded', 'refused'],
  recorded: [],
  refused: [],
};

test('the final states have no next state, and every other state leads to one of them', () => {
  const reach = (from: PaymentState, seen = new Set<PaymentState>([from])): ReadonlySet<PaymentState> => {
    for (const next of nextStates[from]) if (!seen.has(next)) reach(next, seen.add(next));
    return seen;
  };
  for (const each of paymentStates) {
    const isFinal = each === 'recorded' || each === 'refused';
    expect(nextStates[each].length === 0).toBe(isFinal);
    expect(reach(each).has('recorded') || each === 'refused').toBe(true);
  }
});

test('the database permits exactly the changes of the table, from any state to any other', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(state, { minLength: 1, maxLength: 12 }), async (path) => {
      const { payment } = await takePayment(
        app.platform,
        { kind: 'hash', tx_hash: crypto.randomUUID(), timestamp: 1 },
        buildPaidRead(),
      );
      let current: PaymentState = 'settled';
      await startOver(payment.payment_id);
      current = 'claimed';
      for (const next of path) {
        const isChanged = await tryChange(payment.payment_id, next);
        expect([current, next, isChanged]).toEqual([
          current,
          next,
          next === current || nextStates[current].includes(next),
        ]);
        if (isChanged) current = next;
      }
    }),
    { numRuns: 60 },
  );
});

/** Puts a claim into the first state, which the database would refuse. */
async function startOver(id: string): Promise<void> {
  await app.sql.transaction(async (tx) => {
    await tx.run(sql`alter table payments disable trigger payments_guarded`);
    await tx.run(sql`update payments set state = 'claimed', settled_at = null where id = ${id}`);
    await tx.run(sql`alter table payments enable trigger payments_guarded`);
  });
}

async function tryChange(id: string, next: PaymentState): Promise<boolean> {
  const now = app.clock.now();
  const isSettled = ['settled', 'recorded', 'refused'].includes(next);
  try {
    await app.sql.run(sql`
      update payments set state = ${next}, attempt_until = ${now},
        settled_at = case when ${isSettled} then coalesce(settled_at, ${now}) else settled_at end,
        result = case when ${next} = 'recorded' then coalesce(result, '{}') else result end
      where id = ${id}`);
    return true;
  } catch {
    return false;
  }
}

test('a payment is used only when it is settled, refused only when it is over, and settled by one process at a time', () => {
  const moment = fc.option(fc.date({ min: new Date(0), max: new Date(1e12), noInvalidDate: true }));
  const now = new Date(5e11);
  fc.assert(
    fc.property(state, moment, moment, (each, attempt_until, valid_before) => {
      const next = continuePayment({ state: each, attempt_until, valid_before }, now);
      const isBusy = each === 'settling' && attempt_until !== null && attempt_until > now;
      const isOver = each === 'failed' && !(valid_before !== null && valid_before > now);
      const isUsable = each === 'settled' || each === 'recorded';
      const expected = isUsable
        ? 'use'
        : isBusy
          ? 'wait'
          : isOver || each === 'refused'
            ? 'refuse'
            : 'settle';
      expect(next.do).toBe(expected);
      expect(next.do !== 'wait' || (next.seconds >= 1 && next.seconds <= 5)).toBe(true);
    }),
  );
});
