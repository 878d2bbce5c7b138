import { createHash } from 'node:crypto';
import { findCultureProfile } from '#modules/culture';
import type { Reader } from '#platform/database/database.ts';
import type { Culture } from './belonging.ts';
import { findSources, type ExplanationSources } from './store.ts';

/** Everything that an explanation is computed from, and a digest of it. A stored explanation is valid while the digest stays the same. */
export type Sources = ExplanationSources & { readonly culture: Culture | undefined; readonly basis: string };

/** The version of the formulas; a change of it makes stored explanations outdated. The sentences are not stored, so they may change freely. */
const formulas = 'explanation-4';

/** Reads the sources of an explanation; undefined if the match does not exist. */
export async function collectSources(db: Reader, match_id: string): Promise<Sources | undefined> {
  const sources = await findSources(db, match_id);
  if (!sources) return undefined;
  const culture = await findCultureProfile(db, sources.org_id);
  const { trait_priorities, vector_version, values } = sources;
  // Only whether there is a culture, not which one: new profiles one after the other would measure the same person against each of them.
  const inputs = [formulas, trait_priorities, vector_version, culture !== undefined, values];
  const basis = createHash('sha256').update(JSON.stringify(inputs)).digest('hex');
  return { ...sources, culture, basis };
}
