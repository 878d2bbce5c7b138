import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { insertMembers, fillMeans, fillSlots } from '#test/modules/matching.ts';
import { continuousTraits } from '../taxonomy.ts';
import { replaceObservedVector } from '../replace-observed-vector.ts';
import { findOtherVersion } from './store.ts';

const app = await startApp();

test('lists are never said to use the vectors of observations, which have no parameters', async () => {
  const { member_id } = await app.registerMember();
  const posterior = { mean: continuousTraits.map(() => 0), variance: continuousTraits.map(() => 0.5) };
  await app.platform.database.transaction((tx) =>
    replaceObservedVector(tx, member_id, posterior, app.clock.now()),
  );
  expect(await findOtherVersion(app.sql, 'made-up')).toBeUndefined();
  await insertMembers(app, [{ mean: fillMeans(1), variance: fillSlots(0.1) }]);
  const { parameter_version } = await app.sql.one(sql<{ parameter_version: string }>`
    select parameter_version from trait_vectors where parameter_version <> 'observations'`);
  expect(await findOtherVersion(app.sql, 'made-up')).toBe(parameter_version);
});
