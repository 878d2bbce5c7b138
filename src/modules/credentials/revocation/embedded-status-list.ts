import { LRUCache } from 'lru-cache';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Services } from '#platform/platform.ts';
import { withProof } from '../signing/data-integrity.ts';
import { issuerOf } from '../signing/issuer.ts';
import { statusListCredential } from './status-lists.ts';
import type { ListBits, SignedList } from './store.ts';

const embeddedOf = instanceMemory(() => new LRUCache<string, Promise<string>>({ max: 100 }));

/** A published list as JSON with an embedded proof; made once for each version, since a canonical form takes milliseconds. */
export function embeddedStatusList(services: Services, list: ListBits & SignedList): Promise<string> {
  const cache = embeddedOf(services);
  const name = `${list.id} ${list.version} ${list.signed_at.getTime()}`;
  const known = cache.get(name);
  if (known) return known;
  const credential = statusListCredential(issuerOf(services.config.publicUrl), list, list.signed_at);
  const made = withProof(services, credential).then((secured) => JSON.stringify(secured));
  cache.set(name, made);
  made.catch(() => cache.delete(name));
  return made;
}
