import type { Reader } from '#platform/database/database.ts';
import { findLearnerGrants } from './store-observations.ts';

/** All that the learner can read, as the migrations grant it, in order of name. */
const allowed: ReadonlySet<string> = new Set([
  'culture_profiles',
  'deployed_members',
  'given_ratings',
  'job_priorities',
  'latent_vectors',
  'learning_candidates',
  'learning_observations',
  'listed_vector_versions',
  'logged_matches',
  'recorded_outcomes',
  'suspended_organisations',
]);

/**
 * Checks that the learner can read nothing but what the outcome model needs, above all no answer of a self-identification.
 *
 * @throws Error if the role is missing, or has a privilege too many: learning stops, and the task has failed for the operator to see.
 */
export async function checkGrants(db: Reader): Promise<void> {
  const grants = await findLearnerGrants(db);
  if (!grants)
    throw new Error('Learning needs the role tessera_learner; docs/operating.md says how to create it.');
  const excess = grants.readable.filter((name) => !allowed.has(name));
  if (excess.length > 0)
    throw new Error(`Learning stops, because tessera_learner can read ${excess.join(', ')}. Revoke it.`);
  if (grants.inherits)
    throw new Error(
      'Learning stops, because tessera_learner has the privileges of another role. Revoke them.',
    );
}
