import { orgRoles } from '#lib/caller.ts';
import { listOperation } from '#platform/list-operation.ts';
import { countAchievements, listAchievements as list, type AchievementPlace } from './store.ts';
import { achievementWire, toWire } from './wire.ts';

export const listAchievements = listOperation({
  name: 'achievements.listAchievements',
  summary: 'Lists the achievements that the organisation has defined, newest first.',
  who: orgRoles,
  getOwner: ({ org_id }) => org_id,
  list,
  count: countAchievements,
  getPlace: ({ created_at, id }): AchievementPlace => [created_at.toISOString(), id],
  item: achievementWire,
  toItem: (achievement, { config }) => toWire(config.publicUrl, achievement),
});
