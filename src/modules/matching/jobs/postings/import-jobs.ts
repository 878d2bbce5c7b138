import { Type } from 'typebox';
import { createFieldRefusal } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { closedObject, field, text } from '#platform/schema.ts';
import { buildDrafts } from './build-drafts.ts';
import { importReply } from './draft-reply.ts';
import { postingFormats, readPostings } from './read-postings.ts';

/** The longest document. A posting has 2,000 to 10,000 characters; the source of its page has more. */
const document_characters_max = 200_000;

export const importJobs = operation({
  name: 'jobs.importJobs',
  title: 'Make drafts of published jobs',
  summary:
    'Reads a text about a job, or the schema.org JobPosting in JSON-LD or in the HTML of a page, and returns drafts with proposed priorities and the words that speak for each. Nothing is stored: after a person has looked at a draft, create the job from it. Only English texts lead to proposals.',
  who: ['org_admin'],
  input: closedObject({
    document: field(
      text(document_characters_max),
      'The text, the JSON-LD, or the HTML of the page. Nothing in it is run or fetched.',
      'Registered nurse\nYou keep calm in emergencies, work in a team, and listen to patients.',
    ),
    format: Type.Optional(
      field(
        Type.Enum(postingFormats),
        '`job_posting`: the JobPosting of schema.org, which the document must have. `text`: a text, from which HTML is left out. Without it, the document is searched for a JobPosting, and otherwise read as a text.',
        'text',
      ),
    ),
  }),
  output: { 200: importReply },
  run: (context, { document, format }) => {
    const postings = readPostings(document, format);
    if (postings.length === 0) throw createFieldRefusal('field_invalid', '/document', describeFault(format));
    return buildDrafts(context, postings);
  },
});

function describeFault(format: string | undefined): string {
  return format === 'job_posting' ? 'must contain a JobPosting of schema.org' : 'must contain text';
}
