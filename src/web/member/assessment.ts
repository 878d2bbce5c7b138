import * as consent from '#modules/people/consent';
import * as members from '#modules/people/members';
import * as traits from '#modules/measurement/traits';
import { Refusal } from '#lib/refusal.ts';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Html } from '../serving/html.ts';
import {
  goTo,
  sendForm,
  showView,
  type Page,
  type Redirection,
  type View,
  type Visit,
} from '../serving/page.ts';
import { buildLanguageField } from '../parts/fields.ts';
import { renderForm } from '../parts/form.ts';
import { renderOwnConsent } from './consent/consent-example.ts';
import { describeRetake } from './retake.ts';
import { renderResultTabs } from './tabs.ts';
import { renderClearTraits } from './traits.ts';

/**
 * The assessment: what it is, then one statement at a time. After the first stage its results are ready, and the member chooses whether to
 * go on with the statements that make them more certain.
 */
export const assessmentPage: Page = {
  show: async (visit) => {
    const { assessment_phase } = await visit.call(members.readMember);
    if (assessment_phase === 'not_started') return showIntroduction(visit);
    const assessment = await visit.call(traits.startAssessment);
    if (assessment.deepening !== null) return showChoice(visit, assessment, assessment.deepening);
    if (assessment.next_item === null) return showEnd(visit, assessment.retake);
    return showStatement(visit, assessment, assessment.next_item);
  },
  actions: {
    begin: async ({ call, language }, { version }) => {
      if (version !== undefined)
        // The operation refuses a version that is not published.
        await call(consent.recordConsent, {
          consent_type: 'assessment_data',
          granted: true,
          version: version as '1.0',
        });
      await call(traits.startAssessment, language === undefined ? {} : { language });
      return goTo('/app/assessment');
    },
    answer: (visit, { item_id = '', option = '' }) =>
      moveOn(visit, () => visit.call(traits.answerItem, { item_id, option: Number(option) })),
    translate: async ({ call, address }, { language = '' }) => {
      await call(traits.startAssessment, { language });
      return goTo(address);
    },
    deepen: sendForm(traits.startAssessment, '/app/assessment', undefined, { deepen: true }),
    restart: sendForm(traits.startAssessment, '/app/assessment', undefined, { restart: true }),
    back: (visit, { item_id = '' }) => moveOn(visit, () => visit.call(traits.undoAnswer, { item_id })),
  },
};

/** Shows the next statement. The browser's own back button shows one that was already answered. */
async function moveOn({ address }: Visit, move: () => Promise<unknown>): Promise<Redirection> {
  try {
    await move();
    return goTo(address);
  } catch (error) {
    const code = error instanceof Refusal ? error.code : undefined;
    if (code === 'item_not_asked' || code === 'no_answer_to_undo') return goTo(address, 'alreadyAnswered');
    throw error;
  }
}

async function showIntroduction(visit: Visit): Promise<View> {
  const { assessment } = visit.texts;
  const { consents } = await visit.call(consent.readConsent);
  const hasAgreed = consents.some((each) => each.consent_type === 'assessment_data' && each.granted);
  const { version, content: layers, full } = await renderOwnConsent(visit, 'assessment_data');
  const content = html`${renderResultTabs(visit)}
    <div class="reading">
      <h1>${assessment.introTitle}</h1>
      ${assessment.intro.map((each) => html`<p>${each}</p>`)} ${!hasAgreed && layers}
      ${renderForm(visit, {
        action: 'begin',
        button: hasAgreed ? assessment.begin : assessment.agree,
        hidden: hasAgreed ? {} : { version },
      })}
      ${!hasAgreed && full}
    </div>`;
  return showView({ title: assessment.title, layout: 'app', content });
}

/** The last results are ready, and what they say clearly is shown. */
async function showEnd(visit: Visit, retake: Assessment['retake']): Promise<View> {
  const { assessment } = visit.texts;
  const content = html`${renderResultTabs(visit)}
    <div class="reading">
      <h1>${assessment.doneTitle}</h1>
      <p class="lead">${assessment.done}</p>
      ${await renderClear(visit)}
      <p class="buttons">
        <a class="button" href="/app/traits">${assessment.results}</a> <a href="/app">${assessment.home}</a>
      </p>
      ${retake && describeRetake(visit, retake)}
    </div>`;
  return showView({ title: assessment.title, layout: 'app', content });
}

/** How many traits the end of a stage shows at once. */
const clear_max = 3;

/** What is clear, the most marked first; undefined if nothing is. */
async function renderClear(visit: Visit): Promise<Html | undefined> {
  const [vector, taxonomy] = await Promise.all([
    visit.call(traits.readTraits),
    visit.call(traits.readTaxonomy),
  ]);
  return renderClearTraits(visit, vector, taxonomy, clear_max);
}

/** The first results are ready, and what they say clearly is shown. Going on is a choice, which says what it takes. */
async function showChoice(
  visit: Visit,
  { retake }: Assessment,
  { items, minutes }: NonNullable<Assessment['deepening']>,
): Promise<View> {
  const { assessment } = visit.texts;
  const { formatNumber } = visit.format;
  const clear = await renderClear(visit);
  const content = html`${renderResultTabs(visit)}
    <div class="reading">
      <h1>${assessment.interimTitle}</h1>
      <p class="lead">${clear ? assessment.interimClear : assessment.interimOpen}</p>
      ${clear}
      <p class="buttons"><a class="button" href="/app/traits">${assessment.results}</a></p>
      <p>${assessment.deepening(formatNumber(items), formatNumber(minutes))}</p>
      ${renderForm(visit, { action: 'deepen', button: assessment.deepen, look: 'quiet' })}
      ${retake?.advice && describeRetake(visit, retake)}
    </div>`;
  return showView({ title: assessment.title, layout: 'app', content });
}

type Assessment = OperationBody<typeof traits.startAssessment>;
type Item = NonNullable<Assessment['next_item']>;

function showStatement(visit: Visit, state: Assessment, item: Item): View {
  const { progress, can_go_back, language } = state;
  const { assessment } = visit.texts;
  const content = html`<div class="statement">
    ${renderProgress(visit, progress)}
    <h1 id="statement" lang="${language}" dir="auto">${item.text}</h1>
    ${renderAnswers(visit, item, language)}
    <div class="aside">
      ${can_go_back && renderBack(visit, item)}
      <span class="keys">${assessment.keys(visit.format.formatNumber(item.options.length))}</span>
      <a href="/app">${assessment.pause}</a>
    </div>
    ${renderLanguages(visit, state)}
  </div>`;
  return showView({ title: assessment.title, layout: 'focus', content });
}

/** Lets the member choose another language of the statements, where there are several. */
function renderLanguages(visit: Visit, chosen: Assessment): Html | false {
  if (chosen.languages.length < 2) return false;
  return html`<div class="languages">
    ${renderForm(visit, {
      action: 'translate',
      button: visit.texts.languages.change,
      look: 'quiet',
      fields: [buildLanguageField(visit, chosen)],
    })}
  </div>`;
}

function renderProgress({ texts, format }: Visit, progress: Assessment['progress']): Html {
  const { answered, estimated_total, minutes_left } = progress;
  const words = texts.assessment.progress(
    format.formatNumber(answered),
    format.formatNumber(estimated_total),
  );
  return html`<div class="progress">
    <progress max="${estimated_total}" value="${answered}" aria-label="${words}"></progress>
    <p>
      <span>${words}</span> <span>${texts.assessment.minutesLeft(format.formatNumber(minutes_left))}</span>
    </p>
  </div>`;
}

function renderBack(visit: Visit, { item_id }: Item): Html {
  const button = visit.texts.assessment.back;
  return renderForm(visit, { action: 'back', button, key: 'Backspace', look: 'quiet', hidden: { item_id } });
}

/** Each answer is a button, so that one press answers: by mouse, touch or key, with scripts and without. */
function renderAnswers({ form, texts, address }: Visit, { item_id, options }: Item, language: string): Html {
  return html`<form method="post" action="${address}">
    <input type="hidden" name="action" value="answer" />
    <input type="hidden" name="token" value="${form.token}" />
    <input type="hidden" name="item_id" value="${item_id}" />
    <fieldset class="answers">
      <legend class="hidden">${texts.assessment.answers}</legend>
      ${options.map((words, index) => renderAnswer(words, index, language))}
    </fieldset>
  </form>`;
}

function renderAnswer(words: string, index: number, language: string): Html {
  const key = index + 1;
  return html`<button name="option" value="${index}" data-key="${key}">
    <kbd aria-hidden="true">${key}</kbd> <span lang="${language}" dir="auto">${words}</span>
  </button>`;
}
