import { sql, type Executor, type Reader, type Statement } from '#platform/database/database.ts';

/** How many wrong guesses are allowed under a key, in a window that starts with the first one. */
export type Allowance = {
  readonly key_hash: Buffer;
  readonly guesses_max: number;
  readonly window_seconds: number;
};

/**
 * Charges a guess to three allowances in order, stops at the first that is used up, and returns the keys of those charged. A single
 * statement, so that concurrent guesses cannot exceed the limits. Rows are locked in the given order, here and below, to avoid deadlocks.
 */
export async function insertGuess(
  db: Reader,
  [first, second, third]: readonly [Allowance, Allowance, Allowance],
  now: Date,
): Promise<readonly Buffer[]> {
  const rows = await db.list(sql<{ key_hash: Buffer }>`
    with first as (${buildGuessInsert(first, sql`true`, now)}),
      second as (${buildGuessInsert(second, sql`exists (select from first)`, now)}),
      third as (${buildGuessInsert(third, sql`exists (select from second)`, now)})
    select key_hash from first union all select key_hash from second union all select key_hash from third`);
  return rows.map(({ key_hash }) => key_hash);
}

/** Charges a guess to one allowance, unless it is used up. @returns whether it was charged. */
export async function chargeAllowance(db: Executor, allowance: Allowance, now: Date): Promise<boolean> {
  return (await db.run(buildGuessInsert(allowance, sql`true`, now))) > 0;
}

/** Whether an allowance is used up in its present window. */
export async function isUsedUp(db: Reader, { key_hash }: Allowance, now: Date): Promise<boolean> {
  const held = await db.find(sql<{ guesses_left: number }>`
    select guesses_left from guess_allowances where key_hash = ${key_hash} and guesses_left <= 0 and ends_at > ${now}`);
  return held !== undefined;
}

/** A window that ends later than a full window from now shows that the clock was set back, so it counts as ended. */
function buildGuessInsert(allowance: Allowance, condition: Statement, now: Date): Statement {
  const { key_hash, guesses_max, window_seconds } = allowance;
  const ends_at = new Date(now.getTime() + window_seconds * 1000);
  const is_over = sql`(held.ends_at <= ${now} or held.ends_at > excluded.ends_at)`;
  return sql`
    insert into guess_allowances as held (key_hash, guesses_left, ends_at)
    select ${key_hash}::bytea, ${guesses_max - 1}::integer, ${ends_at}::timestamptz where ${condition}
    on conflict (key_hash) do update set
      guesses_left = case when ${is_over} then excluded.guesses_left else held.guesses_left - 1 end,
      ends_at = case when ${is_over} then excluded.ends_at else held.ends_at end
    where held.guesses_left > 0 or ${is_over} returning key_hash`;
}

export async function returnGuess(db: Executor, keys: readonly Buffer[]): Promise<void> {
  if (keys.length === 0) return;
  await db.run(sql`
    update guess_allowances set guesses_left = guesses_left + 1 where key_hash in (${buildLockedKeysQuery(keys)})`);
}

/** Deletes the counts of wrong guesses under these keys. */
export async function deleteGuesses(db: Executor, keys: readonly Buffer[]): Promise<void> {
  await db.run(sql`delete from guess_allowances where key_hash in (${buildLockedKeysQuery(keys)})`);
}

function buildLockedKeysQuery(keys: readonly Buffer[]): Statement {
  return sql`
    select held.key_hash from guess_allowances as held
    join unnest(${keys}::bytea[]) with ordinality as given (key_hash, place) on given.key_hash = held.key_hash
    order by place for update of held`;
}

/** The end of the window of a key, or undefined if it has none. */
export async function findWindowEnd(db: Reader, key_hash: Buffer): Promise<Date | undefined> {
  const window = await db.find(sql<{ ends_at: Date }>`
    select ends_at from guess_allowances where key_hash = ${key_hash}`);
  return window?.ends_at;
}

/** Deletes at most `limit` windows that have ended. @returns how many were deleted. */
export function deleteEndedGuesses(db: Executor, now: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from guess_allowances where key_hash in (
      select key_hash from guess_allowances where ends_at < ${now} limit ${limit} for update skip locked)`);
}
