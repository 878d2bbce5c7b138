import { serviceDatabase } from '#platform/instance-memory.ts';
import type { Services } from '#platform/platform.ts';
import { updateScopeAsked } from './store.ts';

/** Stores that an agent was told now to ask its user for a further tool (see {@link isScopeAsked}). */
export function noteScopeAsked(services: Services, grant_id: string): Promise<void> {
  return updateScopeAsked(serviceDatabase(services), grant_id, services.now());
}
