import { isUtf8 } from 'node:buffer';
import type { Posting } from './job-posting.ts';
import { readPublished } from './read-postings.ts';

/** Real boards have up to about a thousand jobs. */
const document_postings_max = 5_000;

/** The longest text that is looked at. A posting has 2,000 to 10,000 characters. */
const text_characters_max = 10_000;
const title_characters_max = 1_000;

/**
 * Reads the postings of a page or a board.
 *
 * @returns why there are none, as a sentence without its subject, if the document has none.
 */
export function parseDocument(body: Uint8Array): readonly Posting[] | string {
  if (!isUtf8(body)) return 'must be text in UTF-8';
  const postings = readPublished(new TextDecoder().decode(body));
  if (!postings)
    return 'publishes neither a JobPosting of schema.org nor a board of Greenhouse, Lever or Ashby';
  if (postings.length > document_postings_max)
    return `has more than ${document_postings_max.toLocaleString('en')} jobs`;
  return postings.map(limitPosting);
}

/** Leaves out what is too long, and half of a character at the end. */
function limitPosting({ reference, title, text, fields }: Posting): Posting {
  return {
    ...(reference !== undefined && { reference }),
    title: title?.slice(0, title_characters_max).toWellFormed(),
    text: text.slice(0, text_characters_max).toWellFormed(),
    fields,
  };
}
