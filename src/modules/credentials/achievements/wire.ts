import { Type, type Static } from 'typebox';
import {
  closedObject,
  field,
  nullable,
  patternText,
  text,
  timestamp,
  toReply,
  uuid,
} from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import { alignments_max, buildImageUrl, frameworks, image_bytes_max, type Achievement } from './rules.ts';

const fields = {
  name: field(text(100), 'The name of the achievement.', 'Field team lead'),
  description: field(
    text(500),
    'What it is about, in a sentence or two.',
    'Plans and leads the work of a field team.',
  ),
  criteria: field(
    text(1000),
    'What somebody does to earn the achievement.',
    'Led a field team for a season, without a missed sampling day.',
  ),
  alignments: field(
    Type.Array(
      closedObject({
        framework: field(Type.Enum(frameworks), 'The framework: ESCO or O*NET.', 'onet'),
        code: field(text(120), 'The URI of ESCO, or the code of O*NET-SOC.', '19-4042.00'),
        name: field(text(200), 'What the framework calls it.', 'Environmental Science Technicians'),
      }),
      { maxItems: alignments_max },
    ),
    'What it corresponds to in frameworks of skills and occupations.',
  ),
};

const image = nullable(
  patternText('^[A-Za-z0-9+/]*={0,2}$', 'must be base64', {
    minLength: 4,
    maxLength: Math.ceil(image_bytes_max / 3) * 4,
    description:
      'A picture as base64: PNG, JPEG or WebP by its content, at most 128 KiB, 32 to 2,048 pixels on each side. Null for none.',
    examples: [null],
  }),
);

export const achievementId = field(uuid, 'The id of the achievement.', sampleIds.entry);

export const achievementInput = {
  name: fields.name,
  description: fields.description,
  criteria: fields.criteria,
  image: Type.Optional(image),
  alignments: Type.Optional(fields.alignments),
};

const archived = field(Type.Boolean(), 'Whether it can no longer be offered.', false);

export const achievementPatch = {
  name: Type.Optional(fields.name),
  description: Type.Optional(fields.description),
  criteria: Type.Optional(fields.criteria),
  image: Type.Optional(image),
  alignments: Type.Optional(fields.alignments),
  archived: Type.Optional(archived),
};

/** An achievement, as its organisation reads it. */
export const achievementWire = closedObject(
  {
    id: achievementId,
    ...fields,
    image_url: field(
      nullable(Type.String()),
      'Where anyone can see the picture; null if there is none.',
      `https://tessera.example/achievement-images/${sampleIds.entry}`,
    ),
    is_offered: field(
      Type.Boolean(),
      'Whether it was offered to somebody. From then on, it can only be archived.',
      true,
    ),
    archived,
    created_at: timestamp,
  },
  { $id: 'Achievement' },
);

export function toWire(publicUrl: string, achievement: Achievement): Static<typeof achievementWire> {
  const { id, image_type, alignments } = achievement;
  const image_url = image_type === null ? null : buildImageUrl(publicUrl, id);
  return toReply(achievementWire, { ...achievement, alignments: [...alignments], image_url });
}
