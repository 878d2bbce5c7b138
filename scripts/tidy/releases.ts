import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A line of `migrations/releases.json`: a released version, and the newest migration that it has. */
type Release = { readonly version: string; readonly newest: string };

/** Reads the released versions, the oldest first; none if there is no such file. */
export function readReleases(root: string): readonly Release[] {
  const file = path.join(root, 'migrations/releases.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as readonly Release[]) : [];
}
