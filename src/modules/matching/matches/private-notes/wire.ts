import { Type } from 'typebox';
import { label_characters_max } from './rules.ts';
import { closedObject, field, nullable, text } from '#platform/schema.ts';

const note_characters_max = 1000;
const labels_max = 10;

/** The note of an organisation for itself. */
export const note = nullable({
  ...text(note_characters_max),
  description: 'A note of the organisation for itself; null if there is none.',
  examples: ['Has led two audits. Ask about shift work.'],
});

/** The labels of an organisation for itself. */
export const labels = field(
  Type.Array(text(label_characters_max), { maxItems: labels_max, uniqueItems: true }),
  'Labels of the organisation for itself, in its own order.',
  ['second round', 'can travel'],
);

/** A private note with its labels. What is left out is empty. */
export const privateNoteInput = { note: Type.Optional(note), labels: Type.Optional(labels) };

/** What an organisation has noted about a match. Nobody else reads it. */
export const privateNoteWire = closedObject({ note, labels }, { $id: 'PrivateNote' });
