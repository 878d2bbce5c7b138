import type { Platform } from '#platform/platform.ts';
import { getMatchIndex } from './match-index.ts';
import { getIndexReporter } from './report-index.ts';

/** Builds the index of a running service in the background, refreshes it continuously, and reports its state to the other nodes. */
export function watchMatchIndex(platform: Platform): void {
  getMatchIndex(platform).watch();
  getIndexReporter(platform).start();
}
