import { definePersonalData } from '#platform/personal-data.ts';
import { findArchetype } from './find-archetype.ts';

/** The member's archetype. It is computed and not stored, so erasing the trait vectors is enough. */
export const personalData = definePersonalData({
  archetype: async (db, member_id) => {
    const archetype = await findArchetype(db, member_id);
    return archetype ? [archetype] : [];
  },
});
