import type { Reader } from '#platform/database/database.ts';
import { readPage, type PageRequest } from '#platform/database/paging.ts';
import type { Services } from '#platform/platform.ts';
import { listTransactions, sumTransactions, type Party, type TransactionPlace } from './store.ts';
import { toTransactionWire } from './wire.ts';

type ReadContext = Pick<Services, 'secrets'> & { readonly database: Reader };

/** Reads the totals of one party, and a page of its transactions as this party sees them, newest first. */
export async function readTransactions(
  context: ReadContext,
  reader: Parameters<typeof toTransactionWire>[1],
  party: Party,
  request: Omit<PageRequest, 'filter'>,
) {
  const { database } = context;
  const totals = await sumTransactions(database, party);
  const page = await readPage(
    context,
    { ...request, filter: party },
    {
      list: (after: TransactionPlace | undefined, rows_max) =>
        listTransactions(database, party, after, rows_max),
      count: () => Promise.resolve(totals.count),
      getPlace: ({ created_at, id }): TransactionPlace => [created_at.toISOString(), id],
      toItem: (each) => toTransactionWire(each, reader),
    },
  );
  return { totals, page };
}
