import { Type } from 'typebox';
import { listUnfinished } from '../payouts/store.ts';
import type { BooksReport } from './rules.ts';
import { instanceMemory } from '#platform/instance-memory.ts';
import { operation } from '#platform/operation.ts';
import type { Platform } from '#platform/platform.ts';
import { checkBooks } from './check-books.ts';
import { booksWire, toBooksWire } from './wire.ts';

const payouts_max = 100;
/** A check reads the whole ledger, so its result is shared for this long. */
const fresh_ms = 300_000;

export const readBooks = operation({
  name: 'books.readBooks',
  title: 'Read the state of the books',
  summary:
    'Checks the books as `ledger check` does, and returns the trial balance, what is wrong, and the payouts in progress. The result of a check is shared for five minutes.',
  who: ['platform_admin'],
  input: Type.Object({}),
  output: { 200: booksWire },
  refuses: [],
  run: async (context) => {
    const { checked_at, report } = getSharedCheck(context)();
    const payouts = await listUnfinished(context.database, undefined, payouts_max);
    return toBooksWire({ checked_at, report: await report, payouts });
  },
});

type Check = { readonly checked_at: Date; readonly report: Promise<BooksReport> };

const getSharedCheck = instanceMemory((platform) => createSharedCheck(platform));

/** Creates a check that runs at most once in five minutes, however many ask for it. One that failed runs again. */
function createSharedCheck(platform: Platform): () => Check {
  let latest: Check | undefined;
  return () => {
    const checked_at = platform.now();
    if (latest && checked_at.getTime() - latest.checked_at.getTime() < fresh_ms) return latest;
    const check = { checked_at, report: checkBooks(platform) };
    latest = check;
    check.report.catch(() => {
      if (latest === check) latest = undefined;
    });
    return check;
  };
}
