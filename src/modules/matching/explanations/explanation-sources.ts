import { createHash } from 'node:crypto';
import { findCultureProfile } from '#modules/culture';
import type { Reader } from '#platform/database/database.ts';
import type { Culture } from './belonging.ts';
import { findSources, type ExplanationSources } from './store.ts';

/** All that an explanation is made from, and a digest of it: as long as that stays, so does the explanation. */
export type Sources = ExplanationSources & { readonly culture: Culture | undefined; readonly basis: string };

/** A change of the formulas is a new one, so that nothing old is served. The words are not kept, and may change freely. */
const formulas = 'explanation-1';

/** Reads them; undefined where there is no such match. */
export async function collectSources(db: Reader, match_id: string): Promise<Sources | undefined> {
  const sources = await findSources(db, match_id);
  if (!sources) return undefined;
  const culture = await findCultureProfile(db, sources.org_id);
  const { trait_priorities, vector_version } = sources;
  const made_from = [formulas, trait_priorities, vector_version, culture?.version ?? null];
  const basis = createHash('sha256').update(JSON.stringify(made_from)).digest('hex');
  return { ...sources, culture, basis };
}
