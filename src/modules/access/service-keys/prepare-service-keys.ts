import type { Services } from '#platform/platform.ts';
import { getKeyMemory } from './key-memory.ts';
import { getRequestMemory } from './requests/record-request.ts';

/** Prepares what this process remembers of keys and their requests. Call this outside of requests, before the first of them. */
export function prepareServiceKeys(services: Pick<Services, 'memory'>): void {
  getKeyMemory(services);
  getRequestMemory(services);
}
