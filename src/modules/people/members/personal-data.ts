import { formatExternalId } from '#lib/external-id.ts';
import { definePersonalData } from '#platform/personal-data.ts';
import { computeEngagementLevel } from './engagement.ts';
import { deleteMember, findMember } from './store.ts';

/** The member with their profile and the facts that decide the engagement level. All rows that refer to the member must be erased first. */
export const personalData = definePersonalData(
  {
    member: async (db, member_id) => {
      const member = await findMember(db, member_id);
      if (!member) return [];
      const external_id = formatExternalId('MBR', member.id);
      return [{ ...member, external_id, engagement_level: computeEngagementLevel(member) }];
    },
  },
  deleteMember,
);
