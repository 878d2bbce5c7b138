import * as consent from '#modules/people/consent';
import type { OperationBody } from '#platform/operation.ts';
import { renderForm } from '../../parts/form.ts';
import { html, type Html } from '../../serving/html.ts';
import type { Visit } from '../../serving/page.ts';
import type { Decided } from './consent.ts';

/** What organisations may pay to read: each category with the member's decision on it. */
export async function renderCategories(visit: Visit, consents: readonly Decided[]): Promise<Html> {
  const { categories, consent_level } = await visit.call(consent.readQueryConsent);
  const { consent: texts } = visit.texts;
  const mayApprove = consent_level === 'selective' || consent_level === 'full';
  return html`<section class="group">
    <h2>${texts.categoriesTitle}</h2>
    <p>${texts.categoriesLead} ${!mayApprove && renderObstacle(visit, consents)}</p>
    <p>
      <span class="tag">${texts.level(texts.levelNames[consent_level])}</span> ${texts.levels[consent_level]}
    </p>
    <dl class="rows decisions">${categories.map((each) => renderCategory(visit, each, mayApprove))}</dl>
  </section>`;
}

type Category = OperationBody<typeof consent.readQueryConsent>['categories'][number];

function renderObstacle({ texts: { consent: texts } }: Visit, consents: readonly Decided[]): Html {
  const isMissing = consents.some(
    ({ consent_type, granted }) => consent_type === 'identity_queries' && !granted,
  );
  if (isMissing) return html`${texts.needsQueries}`;
  return html`${texts.needsAssessment}
    <a href="/app/consent/assessment_data">${texts.toAssessmentConsent}</a>`;
}

function renderCategory(visit: Visit, { category, approved }: Category, mayApprove: boolean): Html {
  const { consent: texts } = visit.texts;
  const { title, text } = texts.categories[category];
  const button = approved ? texts.disapprove : texts.approve;
  return html`<div>
    <dt>${title}</dt>
    <dd>
      <p>${text}</p>
      <p class="small state ${approved ? 'given' : 'open'}">
        ${approved ? texts.approved : texts.notApproved}
      </p>
    </dd>
    <dd class="do">
      ${
        mayApprove &&
        renderForm(visit, {
          action: approved ? 'disapprove' : 'approve',
          button,
          button_label: texts.openFor(button, title),
          look: 'quiet',
          hidden: { category },
        })
      }
    </dd>
  </div>`;
}
