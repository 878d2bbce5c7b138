import type { Platform } from '#platform/platform.ts';

/** Retires both signing keys and creates new ones. Running nodes follow within seconds. Signatures of the old keys stay valid. */
export async function rotateKeys({
  keys,
}: Platform): Promise<{ readonly ES256: string; readonly RS256: string }> {
  return { ES256: (await keys.rotate('ES256')).kid, RS256: (await keys.rotate('RS256')).kid };
}
