import { traitCodes } from '#modules/measurement/traits';
import type { Database } from '#platform/database/database.ts';
import type { GroupSnapshot } from '../../src/modules/matching/impact/snapshot/rules.ts';
import { replaceLook } from '../../src/modules/matching/impact/snapshot/store.ts';

/** Measures women and men, of whom the women have more empathic attunement and the men more ease under pressure, as if so many members had said so. */
export async function measureGenders(database: Pick<Database, 'transaction'>, now: Date): Promise<void> {
  const gender = {
    woman: buildGroup(now, { empathic_attunement: 0.6, pressure_response: -0.2 }),
    man: buildGroup(now, { pressure_response: 0.2 }),
  };
  const look = { looked_at: now, waiting: 0, groups: { gender } };
  await database.transaction((tx) => replaceLook(tx, look, { before: undefined, marks: [] }));
}

function buildGroup(now: Date, means: Readonly<Record<string, number>>): GroupSnapshot {
  return {
    people: 640,
    mean: traitCodes.map((code) => means[code] ?? 0),
    covariance: traitCodes.map((_, row) => traitCodes.map((__, column) => (row === column ? 0.85 : 0.15))),
    error: traitCodes.map(() => 0.15),
    measured_on: now.toISOString().slice(0, 10),
    version: null,
  };
}
