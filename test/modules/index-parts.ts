import { randomBytes } from 'node:crypto';
import { formatReachableOrigin } from '#platform/reachable-origin.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import type { TestPostgres } from '#test/global-setup.ts';
import { getMatchIndex } from '../../src/modules/matching/matches/index/match-index.ts';
import { getIndexReporter } from '../../src/modules/matching/matches/index/report-index.ts';

/** The variables that all parts of an index share. The tests give the database themselves. */
export const partEnvironment = {
  TESSERA_MASTER_KEY: randomBytes(32).toString('base64'),
  TESSERA_DATABASE_URL: 'postgres://given.by.test/tessera',
} as const;

/** A process that holds a part of the index, listens, and has built it. */
export type TestPart = { readonly app: TestApp; readonly address: string };

/** Starts a service that holds a part of the index, on the database of another one, and announces it once it is built. */
export async function startPart(
  { sql }: TestApp,
  part: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<TestPart> {
  const own = { ...partEnvironment, TESSERA_INDEX_SHARD: part, TESSERA_ROLES: 'worker', ...environment };
  const app = await startApp(own, sql.settings as TestPostgres);
  await app.internalServer.listen({ host: '127.0.0.1', port: 0 });
  const address = formatReachableOrigin(
    app.internalServer.addresses().find((each) => typeof each === 'object')!,
  );
  const reporter = getIndexReporter(app.platform);
  await reporter.claim();
  await getMatchIndex(app.platform).refresh();
  await reporter.announce(address);
  return { app, address };
}
