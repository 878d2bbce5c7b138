import { countUsers } from '#modules/access/accounts';
import { countMembers } from '#modules/people/members';
import type { TestClock } from '#platform/clock.ts';
import { ConfigError } from '#platform/config.ts';
import type { Database } from '#platform/database/database.ts';
import { findSandbox, insertSandbox } from './store.ts';

/**
 * Checks that made-up and real people do not share a database, and sets the test clock of a sandbox to where it was. An empty database becomes
 * that of the sandbox.
 *
 * @param clock The test clock; undefined for a real service.
 * @throws ConfigError for a sandbox on a database with accounts or members, and for a real service on that of a sandbox.
 */
export async function openSandbox(database: Database, clock: TestClock | undefined): Promise<void> {
  const sandbox = await findSandbox(database);
  if (!clock) {
    if (sandbox)
      throw new ConfigError('this is the database of a sandbox: TESSERA_SANDBOX must be on for it');
    return;
  }
  if (sandbox) return clock.setAhead(sandbox.ahead_ms);
  if ((await countUsers(database)) + (await countMembers(database)) > 0)
    throw new ConfigError(
      'this database has accounts that are not of a sandbox: choose another TESSERA_DATA_DIR for the sandbox',
    );
  await insertSandbox(database, clock.now());
}
