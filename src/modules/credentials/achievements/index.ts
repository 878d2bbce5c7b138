export { createAchievement } from './create-achievement.ts';
export { listAchievements } from './list-achievements.ts';
export { buildImageUrl, describeAlignments, formatAlignment } from './rules.ts';
export { serveAchievementImage } from './serve-image.ts';
export { listNamedAchievements, markAchievementsOffered, type Achievement } from './store.ts';
export { updateAchievement } from './update-achievement.ts';
