import * as jobs from '#modules/matching/jobs';
import { continuousTraits, type ContinuousTrait, type TraitPriorities } from '#modules/measurement/traits';
import type { OperationBody } from '#platform/operation.ts';
import { renderForm } from '../../parts/form.ts';
import { selectWord } from '../../parts/select-word.ts';
import { html, type Html } from '../../serving/html.ts';
import type { Visit } from '../../serving/page.ts';
import type { Shown } from './impact.ts';
import { proposal_occupation, proposal_reasons, proposal_reference } from './proposal-memory.ts';
import { listValues, type Evidence, type Values } from './job-fields.ts';

export type Draft = OperationBody<typeof jobs.importJobs>['drafts'][number];
type Reason = Draft['reasons'][number];

/** Reads the text that a visitor has pasted, and fills in the form of a job with what it says. */
export async function readPastedText(visit: Visit, { document = '' }: Values): Promise<Shown> {
  const { drafts } = await visit.call(jobs.importJobs, { document });
  const draft = drafts[0]!;
  return { ...fillForm(visit, draft), before_form: renderProposal(visit, draft, drafts.length) };
}

/** Fills in the form of a job with a draft. */
export function fillForm(visit: Visit, draft: Draft): Pick<Shown, 'values' | 'hidden'> {
  const { title, outcome_description, trait_priorities, reasons, occupation, external_ref } = draft;
  const shown = Object.entries(draft).filter(([, value]) => value !== null);
  const values = listValues(visit, Object.fromEntries(shown), trait_priorities);
  return {
    values: { ...values, title: title ?? '', outcome_description: outcome_description ?? '' },
    hidden: {
      ...(reasons.length > 0 && { [proposal_reasons]: JSON.stringify(reasons) }),
      ...(occupation && { [proposal_occupation]: occupation.template.onet_code }),
      ...(external_ref !== null && { [proposal_reference]: external_ref }),
    },
  };
}

/** The occupation of the text that filled in a form; null if there is none. */
export function readProposedOccupation(fields: Values): string | null {
  return fields[proposal_occupation] || null;
}

/** What the publisher calls the posting that filled in a form; null if nothing. */
export function readProposedReference(fields: Values): string | null {
  return fields[proposal_reference] || null;
}

/** Renders the form for a text. */
export function renderPaste(visit: Visit, path: string): Html {
  const { jobEditor: texts } = visit.texts;
  const isRefused = visit.form.action === 'read';
  return html`<details class="panel from-text" ${isRefused && 'open'}>
    <summary><h2>${texts.fromText}</h2></summary>
    <p class="quiet">${texts.fromTextLead}</p>
    ${renderForm(visit, {
      action: 'read',
      button: texts.readText,
      look: 'quiet',
      to: `${path}#proposal`,
      fields: [
        {
          name: 'document',
          label: texts.document,
          lines: 8,
          bytes_max: { bytes: 250_000, reason: texts.documentTooLong },
        },
      ],
    })}
  </details>`;
}

function renderProposal(visit: Visit, draft: Draft, found: number): Html {
  const { jobEditor: texts } = visit.texts;
  const { finding, reasons, is_shortened, occupation } = draft;
  const sentences = [
    { proposed: texts.proposed, nothing_found: texts.nothingFound, not_english: texts.notEnglish }[finding],
    found > 1 && texts.readFirst(visit.format.formatNumber(found)),
    is_shortened && texts.shortened,
    occupation && describeOccupation(visit, occupation),
  ].filter(Boolean);
  return html`<section class="panel proposal" id="proposal" aria-labelledby="proposal-title">
    <h2 id="proposal-title">${texts.proposal}</h2>
    <div role="status">
      ${sentences.map((sentence) => html`<p>${sentence}</p>`)}
      ${
        reasons.length > 0 &&
        html`<dl class="reasons">
          ${reasons.map(
            (reason) =>
              html`<div>
                <dt>${visit.texts.traits.names[reason.trait_name]}</dt>
                <dd>${describeReason(visit, reason)}.</dd>
              </div>`,
          )}
        </dl>`
      }
    </div>
    ${occupation && html`<p class="quiet small">${occupation.template.source}</p>`}
  </section>`;
}

function describeOccupation(
  { texts: { jobEditor: texts } }: Visit,
  { words, template }: NonNullable<Draft['occupation']>,
): string {
  return words === '' ? texts.occupationGiven(template.title) : texts.occupationNamed(words, template.title);
}

function describeReason({ texts: { jobEditor: texts }, format }: Visit, reason: Reason): string {
  if (reason.words.length === 0) return texts.occupationSays;
  const words = format.formatList(reason.words.map(texts.quote));
  return reason.by_occupation ? texts.both(words) : texts.textSays(words);
}

/** What speaks for a trait: the words of the text that was pasted, or the ratings of the occupation that was chosen. */
export function buildEvidence(visit: Visit, hidden: Values, ratings: TraitPriorities | undefined): Evidence {
  const { importance, evidence } = visit.texts.jobEditor;
  const reasons = parseReasons(hidden[proposal_reasons]);
  const describe = (code: ContinuousTrait) => {
    const reason = reasons.find(({ trait_name }) => trait_name === code);
    if (reason) return `${describeReason(visit, reason)}.`;
    return ratings && evidence(selectWord(Object.values(importance), ratings[code] ?? 0));
  };
  return (code) => {
    const sentence = describe(code);
    return sentence === undefined ? undefined : html`<p class="evidence">${sentence}</p>`;
  };
}

/** Parses what a form remembers, which its visitor may have changed: it is only shown again. */
function parseReasons(text: string | undefined): readonly Reason[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(value) ? value.filter(isReason) : [];
  } catch {
    return [];
  }
}

function isReason(value: unknown): value is Reason {
  if (typeof value !== 'object' || value === null) return false;
  const { trait_name, words } = value as Partial<Reason>;
  const areWords = Array.isArray(words) && words.every((word) => typeof word === 'string');
  return areWords && continuousTraits.some((code) => code === trait_name);
}
