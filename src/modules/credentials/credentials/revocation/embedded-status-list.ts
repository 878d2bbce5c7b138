import { LRUCache } from 'lru-cache';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Services } from '#platform/platform.ts';
import { addProof } from '../signing/data-integrity.ts';
import { buildIssuer } from '../signing/issuer.ts';
import { buildListCredential } from './status-lists.ts';
import type { ListBits, SignedList } from './store.ts';

const getEmbeddedLists = instanceMemory(() => new LRUCache<string, Promise<string>>({ max: 100 }));

/** A published list as JSON with an embedded proof. Signs each version once, because canonicalising it takes milliseconds. */
export function signEmbeddedList(services: Services, list: ListBits & SignedList): Promise<string> {
  const cache = getEmbeddedLists(services);
  const key = `${list.id} ${list.version} ${list.kid} ${list.signed_at.getTime()}`;
  const cached = cache.get(key);
  if (cached) return cached;
  const credential = buildListCredential(buildIssuer(services.config.publicUrl), list, list.signed_at);
  const signing = signList(services, credential, list.kid);
  cache.set(key, signing);
  signing.catch(() => cache.delete(key));
  return signing;
}

async function signList(services: Services, credential: object, kid: string): Promise<string> {
  const key = await services.keys.find('credential', kid);
  if (!key) throw new Error(`the key ${kid} of a status list does not exist`);
  return JSON.stringify(await addProof(services, key, credential));
}
