import { readFileSync } from 'node:fs';
import path from 'node:path';
import { cacheResults } from '#lib/cache-results.ts';
import type { AchievementKey } from '../signing/achievements.ts';

/** The pictures of an achievement: its badge in two formats, and the card that social networks show beside a link. */
export const pictureNames = ['badge.png', 'badge.svg', 'card.png'] as const;

export type PictureName = (typeof pictureNames)[number];

/** Reads a picture, which `scripts/draw-badges.ts` has drawn. */
export function readPicture(
  { credential_type, attestation_tier }: AchievementKey,
  name: PictureName,
): Buffer {
  const ending = name === 'card.png' ? '-card.png' : name.replace('badge', '');
  return readImage(`${credential_type}-${attestation_tier}${ending}`);
}

/** The card of a credential whose content is not shown. */
export function readPlainCard(): Buffer {
  return readImage('card.png');
}

const pictures_max = 30;

const readImage = cacheResults(pictures_max, (file) =>
  readFileSync(path.join(import.meta.dirname, 'images', file)),
);
