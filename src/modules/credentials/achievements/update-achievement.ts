import { Type } from 'typebox';
import { Refusal, requireFound } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { lockOrganisation } from '#modules/organisations/orgs';
import { operation } from '#platform/operation.ts';
import { checkAchievementCount, checkAlignments, decodeImage } from './rules.ts';
import { countOpenAchievements, findAchievement, isNameTaken, updateAchievement as store } from './store.ts';
import { achievementId, achievementPatch, achievementWire, toWire } from './wire.ts';

export const updateAchievement = operation({
  name: 'achievements.updateAchievement',
  title: 'Change an achievement',
  summary:
    'Changes an achievement that nobody was offered yet, or archives one. What was offered keeps its meaning: define another one instead.',
  who: ['org_admin'],
  input: Type.Object({ achievement_id: achievementId, ...achievementPatch }),
  output: { 200: achievementWire },
  refuses: [
    'achievement_in_use',
    'achievement_limit_reached',
    'achievement_name_taken',
    'achievement_not_found',
    'organisation_not_found',
  ],
  checks: [
    ({ image }) => {
      if (typeof image === 'string') decodeImage(image);
    },
    ({ alignments = [] }) => checkAlignments(alignments),
  ],
  run: (context, { achievement_id, image, ...patch }) =>
    context.transaction(async (tx) => {
      const { org_id } = context.caller;
      const { tier } = requireFound(await lockOrganisation(tx, org_id), 'organisation_not_found');
      const before = await findAchievement(tx, achievement_id);
      if (before?.org_id !== org_id) throw new Refusal('achievement_not_found');
      const { archived = before.archived, ...content } = patch;
      if (before.is_offered && (image !== undefined || Object.keys(content).length > 0))
        throw new Refusal('achievement_in_use');
      const after = { ...before, ...content, archived };
      if (before.archived && !archived && context.config.rateLimits)
        checkAchievementCount(tier, await countOpenAchievements(tx, org_id));
      if (!archived && (await isNameTaken(tx, after))) throw new Refusal('achievement_name_taken');
      const picture = typeof image === 'string' ? decodeImage(image) : image;
      const updated = await store(tx, after, picture);
      await recordCallerAudit(context, tx, {
        action: 'achievements.changed',
        org_id,
        detail: {
          achievement_id,
          fields: Object.keys({ ...patch, ...(image !== undefined && { image }) }).join(', '),
        },
      });
      return toWire(context.config.publicUrl, updated);
    }),
});
