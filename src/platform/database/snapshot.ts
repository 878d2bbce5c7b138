import type pg from 'pg';
import { throwTranslated } from '#platform/database/errors.ts';
import { buildExecutor, toQuery, type Reader } from '#platform/database/executor.ts';

/**
 * Reads as the database was at one moment, in as many statements as needed, on one connection that is held until the iteration ends. The
 * transaction can write nothing. It is never repeated, because its reader has already received what was read.
 */
export async function* readSnapshot<Item>(
  pool: pg.Pool,
  read: (db: Reader) => AsyncIterable<Item>,
  handleFault: (error: unknown) => never,
): AsyncGenerator<Item, void> {
  const client = await pool.connect().catch(throwTranslated).catch(handleFault);
  let broken: Error | undefined;
  // A client in use also reports a lost connection by an event.
  const onLost = (error: Error) => void (broken = error);
  client.on('error', onLost);
  try {
    await client.query('begin isolation level repeatable read, read only').catch(throwTranslated);
    yield* read(buildExecutor((statement) => client.query(toQuery(statement))));
  } catch (error) {
    handleFault(error);
  } finally {
    await client.query('rollback').catch(onLost);
    client.off('error', onLost);
    client.release(broken);
  }
}
