import * as traits from '#modules/measurement/traits';
import type { OperationBody } from '#platform/operation.ts';
import { readUnlessRefused } from '../parts/read-unless-refused.ts';
import { renderForm } from '../parts/form.ts';
import { html, type Html } from '../serving/html.ts';
import type { Visit } from '../serving/page.ts';

/** When the assessment may be taken again, with a friendly suggestion if there is one; nothing before the first result. */
export async function renderRetake(visit: Visit): Promise<Html | undefined> {
  // Resumes the assessment, which changes nothing. Without the consent it cannot be taken at all.
  const assessment = await readUnlessRefused(['consent_required'], () => visit.call(traits.startAssessment));
  const retake = assessment?.retake;
  return retake ? describeRetake(visit, retake) : undefined;
}

type Retake = NonNullable<OperationBody<typeof traits.startAssessment>['retake']>;

/** Renders what is known about a retake. */
export function describeRetake(visit: Visit, { available_at, advice }: Retake): Html {
  const { assessment: texts } = visit.texts;
  const isAvailable = new Date(available_at) <= visit.now;
  return html`<section class="group">
    <h2>${texts.retakeTitle}</h2>
    <p>${advice ?? texts.retakeLead}</p>
    ${
      isAvailable
        ? renderForm(visit, {
            action: 'restart',
            button: texts.retake,
            look: 'quiet',
            to: '/app/assessment',
          })
        : html`<p class="quiet">${texts.retakeFrom(visit.format.formatTime(available_at))}</p>`
    }
  </section>`;
}
