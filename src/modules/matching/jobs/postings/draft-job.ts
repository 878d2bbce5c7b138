import type { TraitPriorities } from '#modules/measurement/traits';
import type { JobTemplate } from '../templates/template-priorities.ts';
import { findOccupation, type FoundOccupation } from './find-occupation.ts';
import { findTraitWords } from './find-trait-words.ts';
import { isEnglish } from './is-english.ts';
import type { PostedFields, Posting } from './job-posting.ts';
import { proposeFromText, type ProposalReason } from './propose-priorities.ts';

/** What came of reading a text: priorities, none because nothing in it names a trait, or none because it is in another language. */
export const draftFindings = ['proposed', 'nothing_found', 'not_english'] as const;

/** A job that somebody can complete and create. Nothing of it is stored. */
export type JobDraft = {
  /** What its publisher calls it, so that it is recognised again; null if nothing. */
  readonly external_ref: string | null;
  readonly title: string | null;
  readonly outcome_description: string | null;
  /** Whether the text was longer than that of a job. */
  readonly is_shortened: boolean;
  readonly finding: (typeof draftFindings)[number];
  readonly trait_priorities: TraitPriorities;
  readonly reasons: readonly ProposalReason[];
  readonly occupation: FoundOccupation | undefined;
  readonly fields: Omit<PostedFields, 'occupation_code'>;
};

/** The longest title and text of a job, in characters. */
export const draft_title_max = 200;
export const draft_text_max = 5_000;

/** What a posting says, as the fields of a job have it. */
export function readPosted({ reference, title, text, fields }: Posting) {
  const { occupation_code: _, ...rest } = fields;
  return {
    external_ref: reference ?? null,
    title: title?.slice(0, draft_title_max) ?? null,
    outcome_description: text === '' ? null : shorten(text),
    is_shortened: text.length > draft_text_max,
    fields: rest,
  };
}

/** Makes a draft of a job: its fields as they were published, and the priorities that its words speak for. */
export function buildDraft(posting: Posting, templates: readonly JobTemplate[]): JobDraft {
  const { title, text, fields } = posting;
  const shown = readPosted(posting);
  const words = `${title ?? ''}\n${text}`;
  if (!isEnglish(words))
    return {
      ...shown,
      finding: 'not_english',
      trait_priorities: {},
      reasons: [],
      occupation: undefined,
    };
  const occupation = findByCode(fields.occupation_code, templates) ?? findOccupation(title ?? '', templates);
  const proposal = proposeFromText(findTraitWords(words), occupation);
  const finding = proposal.reasons.length > 0 ? 'proposed' : 'nothing_found';
  return { ...shown, ...proposal, finding, occupation };
}

function findByCode(
  code: string | undefined,
  templates: readonly JobTemplate[],
): FoundOccupation | undefined {
  const template = templates.find(({ onet_code }) => onet_code === code);
  return template && { template, words: '' };
}

/** Ends a text that is too long after a line or a sentence, if there is one in its second half. */
function shorten(text: string): string {
  if (text.length <= draft_text_max) return text;
  const start = text.slice(0, draft_text_max);
  const end = Math.max(start.lastIndexOf('\n'), start.lastIndexOf('. ') + 1);
  // A pair of surrogates is not cut in half.
  return (end > draft_text_max / 2 ? start.slice(0, end) : start.replace(/[\ud800-\udbff]$/, '')).trim();
}
