import { existsSync } from 'node:fs';
import path from 'node:path';
import { root } from './directory.ts';
import type { Benchmark } from './report.ts';

/** The folder with the O*NET text files and the real answers, which are not part of the project. */
export const dataDir = process.env['BENCH_DATA'] ?? path.join(root, '../shared/data');
export const onetDir = path.join(dataDir, 'onet');

/** Skips a benchmark if the folder with the data does not exist. */
export function requireData(title: string, run: Benchmark): Benchmark {
  const notes = [`Skipped: ${dataDir} has no data. BENCH_DATA names another folder.`];
  return async (options) => (existsSync(onetDir) ? run(options) : { title, tables: [], notes });
}
