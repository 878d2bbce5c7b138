import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { Refusal, requireFound } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { lockOrganisation } from '#modules/organisations/orgs';
import { operation } from '#platform/operation.ts';
import { checkAchievementCount, checkAlignments, decodeImage } from './rules.ts';
import { countOpenAchievements, insertAchievement } from './store.ts';
import { achievementInput, achievementWire, toWire } from './wire.ts';

export const createAchievement = operation({
  name: 'achievements.createAchievement',
  title: 'Define an achievement',
  summary:
    'Defines an achievement that the organisation can attest to people, with POST /orgs/me/credentials. The tier limits how many there are.',
  who: ['org_admin'],
  input: Type.Object(achievementInput),
  output: { 201: achievementWire },
  location: () => '/orgs/me/achievements',
  refuses: ['achievement_limit_reached', 'achievement_name_taken', 'organisation_not_found'],
  idempotent: true,
  checks: [
    ({ image }) => {
      if (typeof image === 'string') decodeImage(image);
    },
    ({ alignments = [] }) => checkAlignments(alignments),
  ],
  run: (context, { image, alignments = [], ...texts }) =>
    context.transaction(async (tx) => {
      const { org_id } = context.caller;
      // The lock makes requests at the same time count each other.
      const { tier } = requireFound(await lockOrganisation(tx, org_id), 'organisation_not_found');
      if (context.config.rateLimits) checkAchievementCount(tier, await countOpenAchievements(tx, org_id));
      const key = { id: randomUUID(), org_id, created_at: context.now() };
      const picture = typeof image === 'string' ? decodeImage(image) : null;
      const created = await insertAchievement(tx, key, { ...texts, alignments, image: picture });
      if (!created) throw new Refusal('achievement_name_taken');
      await recordCallerAudit(context, tx, {
        action: 'achievements.defined',
        org_id,
        detail: { achievement_id: created.id },
      });
      return toWire(context.config.publicUrl, created);
    }),
});
