import { Refusal } from '#lib/refusal.ts';
import { isUuid } from '#lib/text/is-uuid.ts';
import type { OriginHandler } from '#platform/http/origin-routes.ts';
import { findAchievementImage } from './store.ts';

const max_age_s = 300;

/** The picture of an achievement, which pages, badges and other sites show. Its type is the one that its content has. */
export const serveAchievementImage: OriginHandler = async ({ database }, { params }) => {
  const id = params['achievement_id'] ?? '';
  const picture = isUuid(id) ? await findAchievementImage(database, id) : undefined;
  if (!picture) throw new Refusal('achievement_not_found');
  return {
    headers: { 'content-type': picture.media_type, 'cache-control': `public, max-age=${max_age_s}` },
    content: picture.content,
  };
};
