import { field, text } from '#platform/schema.ts';

/** The address of a page or a board, as an import takes it. */
export const addressInput = field(
  text(2_000),
  'The address of a page, or of a board as people or programs read it: https://boards.greenhouse.io/name, https://jobs.lever.co/name, https://jobs.ashbyhq.com/name.',
  'https://jobs.lever.co/river-murray-trust',
);
