import { readFileSync } from 'node:fs';
import type { Distribution } from '#platform/distribution/distribute.ts';
import { placements } from './placements.ts';

/** What a distributed database needs besides the migrations. */
export const distribution: Distribution = {
  placements,
  functions: readFileSync(new URL('distributed.sql', import.meta.url), 'utf8'),
};
