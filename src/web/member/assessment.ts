import * as consent from '#modules/consent';
import * as members from '#modules/members';
import * as traits from '#modules/traits';
import { Refusal } from '#lib/refusal.ts';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Html } from '../serving/html.ts';
import { goTo, showView, type Page, type View, type Visit } from '../serving/page.ts';
import { renderForm } from '../parts/form.ts';
import { renderConsentText } from '../parts/consent-text.ts';

/** The assessment: what it is, then one statement at a time, and at the end where the results are. */
export const assessmentPage: Page = {
  show: async (visit) => {
    const { assessment_phase } = await visit.call(members.readMember);
    if (assessment_phase === 'not_started') return showIntroduction(visit);
    if (assessment_phase === 'complete') return showEnd(visit);
    return showStatement(visit, await visit.call(traits.startAssessment));
  },
  actions: {
    begin: async ({ call }, { version }) => {
      if (version !== undefined)
        // The operation refuses a version that is not published.
        await call(consent.recordConsent, {
          consent_type: 'assessment_data',
          granted: true,
          version: version as '1.0',
        });
      await call(traits.startAssessment);
      return goTo('/app/assessment');
    },
    answer: async ({ call }, { item_id = '', option = '' }) => {
      try {
        await call(traits.answerItem, { item_id, option: Number(option) });
        return goTo('/app/assessment');
      } catch (error) {
        // The browser's own back button shows a statement that has been answered.
        if (error instanceof Refusal && error.code === 'item_not_asked')
          return goTo('/app/assessment', 'alreadyAnswered');
        throw error;
      }
    },
  },
};

async function showIntroduction(visit: Visit): Promise<View> {
  const { assessment } = visit.texts;
  const { consents } = await visit.call(consent.readConsent);
  const hasAgreed = consents.some((each) => each.consent_type === 'assessment_data' && each.granted);
  const { version, text } = await renderConsentText(visit, 'assessment_data');
  const content = html`<div class="reading">
    <h1>${assessment.introTitle}</h1>
    ${assessment.intro.map((each) => html`<p>${each}</p>`)}
    ${
      !hasAgreed &&
      html`<p><strong>${assessment.consent}</strong></p>
        ${text}`
    }
    ${renderForm(visit, {
      action: 'begin',
      button: hasAgreed ? assessment.begin : assessment.agree,
      hidden: hasAgreed ? {} : { version },
    })}
  </div>`;
  return showView({ title: assessment.title, layout: 'app', content });
}

function showEnd({ texts: { assessment } }: Visit): View {
  const content = html`<div class="reading">
    <h1>${assessment.doneTitle}</h1>
    <p class="lead">${assessment.done}</p>
    <p class="buttons">
      <a class="button" href="/app/traits">${assessment.results}</a> <a href="/app">${assessment.home}</a>
    </p>
  </div>`;
  return showView({ title: assessment.title, layout: 'app', content });
}

type Assessment = OperationBody<typeof traits.startAssessment>;

function showStatement(visit: Visit, { next_item, progress }: Assessment): View {
  const { assessment } = visit.texts;
  if (next_item === null) return showEnd(visit);
  const content = html`<div class="statement">
    ${renderProgress(visit, progress)}
    <h1 id="statement">${next_item.text}</h1>
    ${renderAnswers(visit, next_item)}
    <div class="aside">
      <span class="keys">${assessment.keys}</span>
      <a href="/app">${assessment.pause}</a>
    </div>
  </div>`;
  return showView({ title: assessment.title, layout: 'focus', content });
}

function renderProgress(
  { texts, format }: Visit,
  { answered, estimated_total, percent }: Assessment['progress'],
): Html {
  const words = texts.assessment.progress(
    format.formatNumber(answered),
    format.formatNumber(estimated_total),
  );
  return html`<div class="progress">
    <progress max="100" value="${percent}" aria-label="${words}"></progress>
    <p><span>${words}</span></p>
  </div>`;
}

/** Each answer is a button, so that one press answers: by mouse, touch or key, with scripts and without. */
function renderAnswers(
  { form, texts, address }: Visit,
  { item_id, options }: NonNullable<Assessment['next_item']>,
): Html {
  return html`<form method="post" action="${address}">
    <input type="hidden" name="action" value="answer" />
    <input type="hidden" name="token" value="${form.token}" />
    <input type="hidden" name="item_id" value="${item_id}" />
    <fieldset class="answers">
      <legend class="hidden">${texts.assessment.answers}</legend>
      ${options.map((words, index) => renderAnswer(words, index))}
    </fieldset>
  </form>`;
}

function renderAnswer(words: string, index: number): Html {
  const key = index + 1;
  return html`<button name="option" value="${index}" data-key="${key}">
    <kbd aria-hidden="true">${key}</kbd> <span>${words}</span>
  </button>`;
}
