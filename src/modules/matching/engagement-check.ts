import { Refusal } from '#lib/refusal.ts';
import { computeEngagementLevel, type Member } from '#modules/members';

/** Lets only members of engagement level 4, Deployed, on. @throws Refusal `engagement_level_too_low`, saying where to look what is missing. */
export function checkEngagementLevel(member: Member): void {
  if (computeEngagementLevel(member) < 4) throw createEngagementRefusal();
}

/** The refusal that says where to look what is missing. */
export function createEngagementRefusal(): Refusal {
  return new Refusal('engagement_level_too_low', {
    detail: 'Matches need engagement level 4, Deployed: GET /members/me/engagement lists what is missing.',
  });
}
