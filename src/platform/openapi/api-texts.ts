import type { RefusalCode } from '#lib/refusals.ts';

/** What a field means, as a sentence for the reference, and a realistic value of it. */
export type FieldNote = readonly [description: string, example?: unknown];

/** Notes on fields that mean the same wherever they appear, by their name. A schema's own description and example take precedence. */
export type FieldNotes = Readonly<Record<string, FieldNote>>;

/** What a document says that does not follow from the tables and the schemas. */
export type ApiTexts = {
  /** What the service does. */
  readonly description: string;
  /** What the endpoints below the first part of a path are about, by that part. */
  readonly tags: Readonly<Record<string, string>>;
  readonly fields: FieldNotes;
  /** The refusal in the sample of a problem, and the path in it. */
  readonly problem: { readonly code: RefusalCode; readonly instance: string };
};

/** The texts of a document that has none of its own. */
export const noTexts: ApiTexts = {
  description: '',
  tags: {},
  fields: {},
  problem: { code: 'route_not_found', instance: '/api/v1/notes' },
};
