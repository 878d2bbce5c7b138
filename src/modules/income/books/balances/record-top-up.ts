import { Type, type Static } from 'typebox';
import { formatMicros, microsToNumber, type Micros } from '#lib/money.ts';
import { createFieldRefusal, Refusal } from '#lib/refusal.ts';
import { queueAdministratorNotices } from '#modules/access/accounts';
import { recordAudit } from '#modules/operations/audit';
import { findOrganisation } from '#modules/organisations/orgs';
import type { Transaction } from '#platform/database/database.ts';
import { operation } from '#platform/operation.ts';
import type { Services } from '#platform/platform.ts';
import { field, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import { postJournal } from '../journals/post-journal.ts';
import { buildTopUpJournal, emptyBalance, type TopUp } from './rules.ts';
import { findBalance, insertRecorded, lockTopUp, recordArrival } from './store.ts';
import { buildAmountInput, readAmount, recordedTopUpWire, referenceInput } from './wire.ts';

export const recordTopUp = operation({
  name: 'books.recordTopUp',
  title: 'Record money for a prepaid balance',
  summary:
    'Records that the money of an announced top-up, a transfer or an invoice has arrived, and fills the balance of its organisation. A reference is recorded once: the same again changes nothing and returns the first record.',
  who: ['platform_admin'],
  input: Type.Object({
    reference: referenceInput,
    amount: buildAmountInput('What has arrived, in US dollars, even if something else was announced.', 0.01),
    org_id: Type.Optional(
      field(
        uuid,
        'The organisation that paid. Needed for money that nobody announced; otherwise it must be the one that announced it.',
        sampleIds.organisation,
      ),
    ),
  }),
  output: { 200: recordedTopUpWire },
  refuses: ['organisation_not_found', 'top_up_recorded'],
  idempotent: true,
  checks: [({ amount }) => void readAmount(amount, '/amount')],
  run: (context, { reference, amount, org_id }) =>
    context.transaction((tx) =>
      fillBalance(context, tx, {
        reference: reference.toUpperCase(),
        amount: readAmount(amount, '/amount'),
        org_id,
        actor: context.caller,
      }),
    ),
});

/** Money that has arrived, and who says so: null for the command line. */
export type Arrival = {
  readonly reference: string;
  readonly amount: Micros;
  /** Undefined for the organisation that announced it. */
  readonly org_id: string | undefined;
  readonly actor: { readonly user_id: string; readonly role: 'platform_admin' } | null;
};

/**
 * Records money under its reference, and fills the balance.
 *
 * @throws Refusal `field_invalid` if nobody announced the reference and no organisation is named.
 * @throws Refusal `organisation_not_found`.
 * @throws Refusal `top_up_recorded` if the reference was recorded with another amount, or is one of another organisation.
 */
export async function fillBalance(
  services: Pick<Services, 'queue' | 'now' | 'secrets'>,
  tx: Transaction,
  arrival: Arrival,
): Promise<Static<typeof recordedTopUpWire>> {
  const known = await lockTopUp(tx, arrival.reference);
  const org_id = arrival.org_id ?? known?.org_id;
  if (org_id === undefined)
    throw createFieldRefusal(
      'field_invalid',
      '/org_id',
      'must be given, because nobody announced the reference',
    );
  if (known && !isSameTopUp(known, org_id, arrival.amount)) throw new Refusal('top_up_recorded');
  if (known?.recorded_at) return buildReply(tx, arrival, org_id, known.recorded_at);
  if (!(await findOrganisation(tx, org_id))) throw new Refusal('organisation_not_found');
  const at = services.now();
  const stored = { ...arrival, org_id, user_id: arrival.actor?.user_id ?? null, at };
  if (known) await recordArrival(tx, stored);
  // Another request that records the reference at the same time has committed meanwhile.
  else if (!(await insertRecorded(tx, stored))) return fillBalance(services, tx, arrival);
  await postArrival(services, tx, stored);
  return buildReply(tx, arrival, org_id, at);
}

function isSameTopUp({ org_id, recorded }: TopUp, wanted_id: string, amount: Micros): boolean {
  return org_id === wanted_id && (recorded === null || recorded === amount);
}

type Stored = Arrival & { readonly org_id: string; readonly at: Date };

async function postArrival(
  services: Pick<Services, 'queue' | 'now' | 'secrets'>,
  tx: Transaction,
  { org_id, reference, amount, actor, at }: Stored,
): Promise<void> {
  await postJournal(tx, buildTopUpJournal({ org_id, reference, amount, at }));
  await recordAudit(tx, { now: at, actor, action: 'ledger.top_up_recorded', org_id, detail: { reference } });
  const about = `It brought ${formatMicros(amount)} USD under the reference ${reference}.`;
  await queueAdministratorNotices(services, tx, org_id, 'balance_filled', about);
}

async function buildReply(
  tx: Transaction,
  { reference, amount }: Arrival,
  org_id: string,
  recorded_at: Date,
): Promise<Static<typeof recordedTopUpWire>> {
  const { balance } = (await findBalance(tx, org_id)) ?? emptyBalance;
  return {
    reference,
    org_id,
    amount: microsToNumber(amount),
    currency: 'USD',
    balance: microsToNumber(balance),
    recorded_at: recorded_at.toISOString(),
  };
}
