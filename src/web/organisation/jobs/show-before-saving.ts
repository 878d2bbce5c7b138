import { html, type Html } from '../../serving/html.ts';
import type { Visit } from '../../serving/page.ts';
import { keepShown, showImpact, type Shown } from './impact.ts';
import type { Values } from './job-fields.ts';
import { describeReach } from './reach.ts';
import type { ReadJob } from './read-job-form.ts';

/** What a form of a job says before it is saved: whom it reaches, and what it does to groups. Undefined if the visitor saves it. */
export async function showBeforeSaving(
  visit: Visit,
  fields: Values,
  read: ReadJob,
): Promise<Shown | undefined> {
  if (fields['choice'] !== 'reach') return showImpact(visit, fields, read);
  return { values: fields, reach: await describeReach(visit, read), hidden: keepShown(fields) };
}

/** The buttons that ask about a job before it is saved. */
export function renderQuestions({ address, texts: { jobEditor: texts } }: Visit): Html {
  return html`<button class="button quiet" formaction="${address}#reach" name="choice" value="reach">
      ${texts.reach}
    </button>
    <button class="button quiet" formaction="${address}#impact" name="choice" value="impact">
      ${texts.impactButton}
    </button>`;
}
