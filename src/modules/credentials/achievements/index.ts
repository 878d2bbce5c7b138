export { createAchievement } from './create-achievement.ts';
export { listAchievements } from './list-achievements.ts';
export { buildImageUrl, image_bytes_max, type Alignment } from './rules.ts';
export { serveAchievementImage } from './serve-image.ts';
export {
  findAchievement,
  findAchievementImage,
  listNamedAchievements,
  markAchievementsOffered,
  type Achievement,
} from './store.ts';
export { updateAchievement } from './update-achievement.ts';
export type { achievementWire } from './wire.ts';
