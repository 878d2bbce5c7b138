import { Refusal } from '#lib/refusal.ts';
import { computeEngagementLevel, type Member } from '#modules/people/members';

/** Checks that a member has engagement level 4, Deployed. @throws Refusal `engagement_level_too_low`. */
export function checkEngagementLevel(member: Member): void {
  if (computeEngagementLevel(member) < 4) throw createEngagementRefusal();
}

/** Creates the refusal for members below engagement level 4. It names the endpoint that lists what is missing. */
export function createEngagementRefusal(): Refusal {
  return new Refusal('engagement_level_too_low', {
    detail:
      'Matches require engagement level 4 (Deployed). GET /members/me/engagement lists what is missing. GET /matches/member/{member_id} lists the matches that you already have.',
  });
}
