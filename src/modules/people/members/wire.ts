import { Type, type Static } from 'typebox';
import { closedObject, field } from '#platform/schema.ts';
import {
  computeEngagementLevel,
  conditionCodes,
  conditions,
  levelNames,
  listMissingConditions,
  type EngagementFacts,
} from './engagement.ts';
import { engagementLevel } from './resource.ts';

/** The engagement level, and what is missing for the next one; nothing at level 4. */
export const engagementWire = closedObject(
  {
    engagement_level: engagementLevel,
    name: field(Type.Enum(Object.values(levelNames)), 'The name of the level.', 'Deployed'),
    missing: field(
      Type.Array(
        closedObject({
          code: field(Type.Enum(conditionCodes), 'The code of the condition.', 'email_verified'),
          sentence: field(Type.String(), 'What to do, for the member.', conditions.email_verified.sentence),
        }),
      ),
      'What is missing for the next level.',
    ),
  },
  { $id: 'Engagement' },
);

export function toEngagementWire(facts: EngagementFacts): Static<typeof engagementWire> {
  const level = computeEngagementLevel(facts);
  const missing = listMissingConditions(facts).map((code) => ({ code, sentence: conditions[code].sentence }));
  return { engagement_level: level, name: levelNames[level], missing };
}
