import type * as jobs from '#modules/matching/jobs';
import type { OperationInput } from '#platform/operation.ts';
import { html, type Html } from '../../serving/html.ts';
import type { Visit } from '../../serving/page.ts';
import { keepShown, showImpact, type Shown } from './impact.ts';
import type { Values } from './job-fields.ts';
import { renderReach } from './reach.ts';

/** What a form of a job says before it is saved: whom it reaches, and what it does to groups. Undefined if the visitor saves it. */
export async function showBeforeSaving(
  visit: Visit,
  fields: Values,
  job: Pick<
    Required<OperationInput<typeof jobs.createJob>>,
    'constraints' | 'clearance_required' | 'trait_priorities'
  >,
): Promise<Shown | undefined> {
  if (fields['choice'] !== 'reach') return showImpact(visit, fields, job.trait_priorities);
  return { values: fields, before_buttons: await renderReach(visit, job), hidden: keepShown(fields) };
}

/** The buttons that ask about a job before it is saved. */
export function renderQuestions({ address, texts: { jobEditor: texts } }: Visit): Html {
  return html`<button class="button quiet" name="choice" value="reach">${texts.reach}</button>
    <button class="button quiet" formaction="${address}#impact" name="choice" value="impact">
      ${texts.impactButton}
    </button>`;
}
