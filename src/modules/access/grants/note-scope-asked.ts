import { serviceDatabase } from '#platform/instance-memory.ts';
import type { Services } from '#platform/platform.ts';
import { setScopeAsked } from './store.ts';

/** Stores that an agent has to ask its user for a further tool now (see {@link isScopeAsked}). */
export function noteScopeAsked(services: Services, grant_id: string): Promise<void> {
  return setScopeAsked(serviceDatabase(services), grant_id, services.now());
}
