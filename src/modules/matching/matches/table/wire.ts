import { Type } from 'typebox';
import { matchQualities } from '#modules/matching/engine';
import { closedObject, field, nullable, text, uuid } from '#platform/schema.ts';
import { label_characters_max } from '../private-notes/rules.ts';
import { matchStatuses } from '../rules.ts';
import { sorted_max, tableSorts, turns } from './rules.ts';

/** What a table shows: the filters of a list, and those of the organisation's own labels and visits. */
export const tableFilter = {
  waits_for: Type.Optional(
    field(Type.Enum(turns), 'Only matches in which it is the turn of this side.', 'member'),
  ),
  label: Type.Optional({
    ...text(label_characters_max),
    description: 'Only matches to which the organisation has given this label.',
    examples: ['second round'],
  }),
  is_new: Type.Optional(
    field(Type.Boolean(), 'Only people who are new since your visit before this one, with true.', true),
  ),
};

/** The order of a table. */
export const tableOrder = {
  sort: {
    ...Type.Enum(tableSorts),
    default: 'fit' as const,
    description: `The order: \`fit\`, the best tier first; \`asked\`, what is known about the traits that the job asks for most; \`new\`, who is new; \`waiting\`, who waits for you; or \`labels\`. All pages follow it. Among people with the same words, it is that of \`fit\`. At most ${sorted_max.toLocaleString('en-GB')} people are sorted by words.`,
    examples: ['asked'],
  },
};

const name_characters_max = 60;

const viewFields = {
  name: {
    ...text(name_characters_max),
    description: 'What the view is called.',
    examples: ['Nurses to call'],
  },
  status: field(
    nullable(Type.Enum(matchStatuses)),
    'Only matches in this status; null for all.',
    'pending_review',
  ),
  quality: field(nullable(Type.Enum(matchQualities)), 'Only matches of this tier; null for all.', 'strong'),
  waits_for: field(
    nullable(Type.Enum(turns)),
    'Only matches in which it is the turn of this side; null for all.',
    null,
  ),
  label: field(
    nullable(text(label_characters_max)),
    'Only matches with this label; null for all.',
    'second round',
  ),
  is_new: field(Type.Boolean(), 'Only people who are new since the last visit.', false),
  sort: field(Type.Enum(tableSorts), 'The order in which the people are shown.', 'fit'),
};

/** The fields of a view to save. What is left out filters nothing. */
export const viewInput = {
  name: viewFields.name,
  status: Type.Optional(viewFields.status),
  quality: Type.Optional(viewFields.quality),
  waits_for: Type.Optional(viewFields.waits_for),
  label: Type.Optional(viewFields.label),
  is_new: Type.Optional(viewFields.is_new),
  sort: Type.Optional(viewFields.sort),
};

/** The id of a saved view. */
export const viewId = field(uuid, 'The id of the saved view.', '6a1f0c52-3d4e-4b8a-9c71-2e5d8f0b1a34');

/** A saved view of an organisation. */
export const viewWire = closedObject({ id: viewId, ...viewFields }, { $id: 'TableView' });
