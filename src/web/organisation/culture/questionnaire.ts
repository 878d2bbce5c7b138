import { Refusal } from '#lib/refusal.ts';
import * as culture from '#modules/organisations/culture';
import type { OperationBody, OperationInput } from '#platform/operation.ts';
import { html, type Html } from '../../serving/html.ts';
import { goTo, showView, type Page, type Redirection, type Visit } from '../../serving/page.ts';
import { renderForm } from '../../parts/form.ts';
import { nameItem, nameRank, readAnswers, type Missing, type Questions } from './read-answers.ts';

type Questionnaire = OperationBody<typeof culture.readQuestionnaire>;
type Draft = OperationBody<typeof culture.readDraft>;
type Answers = OperationInput<typeof culture.answerQuestionnaire>['answers'];
type Fields = Readonly<Record<string, string>>;

const items_per_step = 4;
const blocks_per_step = 2;
const address = '/app/culture/questionnaire';

/** The questionnaire about the culture of the organisation, in short steps. What is answered is saved as a draft that only its respondent reads. */
export const questionnairePage: Page = {
  show: async (visit) => {
    const { questionnaire: texts } = visit.texts;
    const [questionnaire, draft] = await readState(visit);
    const content = html`<p class="back"><a href="/app/culture">${texts.back}</a></p>
      <header class="head reading">
        <h1>${texts.title}</h1>
        <p class="lead">${texts.lead}</p>
        <p class="quiet">${texts.privacy(visit.format.formatNumber(questionnaire.minimum_respondents))}</p>
      </header>
      ${renderStep(visit, questionnaire, draft)} ${renderDraft(visit, draft)}`;
    return showView({ title: texts.title, layout: 'app', content });
  },
  actions: {
    // What the script of the page sends after each answer: nothing is missing yet.
    keep: async (visit, fields) => {
      const { answers } = readAnswers(await visit.call(culture.readQuestionnaire), fields);
      await save(visit, answers);
      return goTo(visit.address);
    },
    save: saveStep,
    discard: async (visit) => {
      await visit.call(culture.deleteDraft);
      return goTo('/app/culture', 'draftDeleted');
    },
  },
};

function readState({ call }: Pick<Visit, 'call'>): Promise<[Questionnaire, Draft]> {
  return Promise.all([call(culture.readQuestionnaire), call(culture.readDraft)]);
}

/** Saves what a step has, and goes on: to the next step, to the first that is not complete, or, when nothing is missing, to the end. */
async function saveStep(visit: Visit, fields: Fields): Promise<Redirection> {
  const [questionnaire, draft] = await readState(visit);
  const steps = splitQuestions(questionnaire);
  const place = findPlace(visit, questionnaire, draft);
  const { answers, missing } = readAnswers(steps[place]!, fields);
  const saved = await save(visit, answers);
  if (missing.length > 0) throw createMissingRefusal(visit, missing);
  if (place + 1 < steps.length) return goTo(nameStep(place + 1));
  const unfinished = findUnfinished(questionnaire, saved);
  if (unfinished !== undefined) return goTo(nameStep(unfinished), 'answersMissing');
  await visit.call(culture.answerQuestionnaire, {
    answers: saved.answers,
    questionnaire_version: questionnaire.version as 'culture-2',
  });
  return goTo('/app/culture', 'questionnaireAnswered');
}

/** Saves answers, if there are any. @returns the whole draft. */
function save({ call }: Visit, answers: ReturnType<typeof readAnswers>['answers']): Promise<Draft> {
  if (Object.keys({ ...answers.braving, ...answers.cvf }).length === 0) return call(culture.readDraft);
  // The operation refuses an item or statement that does not exist.
  return call(culture.saveDraft, { answers: answers as Answers });
}

function createMissingRefusal({ texts }: Visit, missing: readonly Missing[]): Refusal {
  const { incomplete, order } = texts.questionnaire;
  const errors = missing.map(({ name, kind }) => ({
    pointer: `/${name}`,
    reason: kind === 'item' ? incomplete : order,
  }));
  return new Refusal('field_invalid', { errors });
}

/** Splits the questionnaire into steps of a few statements, and then of a few blocks. */
function splitQuestions({ scale, braving, cvf }: Questionnaire) {
  return [
    ...split(braving, items_per_step).map((items) => ({ scale, braving: items, cvf: [] })),
    ...split(cvf, blocks_per_step).map((blocks) => ({ scale, braving: [], cvf: blocks })),
  ] satisfies readonly Questions[];
}

function split<Value>(all: readonly Value[], size: number): readonly (readonly Value[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, part) =>
    all.slice(part * size, (part + 1) * size),
  );
}

type Step = ReturnType<typeof splitQuestions>[number];

/** The first step with a question that the draft does not answer. */
function findUnfinished(questionnaire: Questionnaire, { answers }: Draft): number | undefined {
  const place = splitQuestions(questionnaire).findIndex(
    ({ braving, cvf }) =>
      braving.some(({ item_id }) => answers.braving[item_id] === undefined) ||
      cvf.some(({ block_id }) => answers.cvf[block_id] === undefined),
  );
  return place === -1 ? undefined : place;
}

/** The step that the address names; without one, the first that is not complete, or the last. */
function findPlace({ query }: Visit, questionnaire: Questionnaire, draft: Draft): number {
  const last = splitQuestions(questionnaire).length - 1;
  const named = /^\d{1,2}$/.test(query['step'] ?? '') ? Number(query['step']) - 1 : -1;
  return named >= 0 ? Math.min(named, last) : (findUnfinished(questionnaire, draft) ?? last);
}

function nameStep(place: number): string {
  return `${address}?step=${place + 1}`;
}

function renderStep(visit: Visit, questionnaire: Questionnaire, draft: Draft): Html {
  const { questionnaire: texts } = visit.texts;
  const { form } = visit;
  const steps = splitQuestions(questionnaire);
  const place = findPlace(visit, questionnaire, draft);
  const step = steps[place]!;
  const isRefused = form.action === 'save';
  const values = isRefused ? form.values : fillStep(step, draft);
  const isLast = place + 1 === steps.length;
  const [heading, lead] =
    step.cvf.length > 0 ? [texts.values, texts.valuesLead] : [texts.trust, texts.trustLead];
  return html`${renderProgress(visit, place + 1, steps.length)}
    <form
      class="form wide questionnaire"
      method="post"
      action="${nameStep(place)}"
      data-saves="keep"
      data-saved="${texts.saved}"
      data-unsaved="${texts.unsaved}"
    >
      ${
        isRefused &&
        html`<div class="message bad" role="alert">
          <p>${form.message ?? visit.texts.forms.problem}</p>
          <p>${texts.missing(Object.keys(form.errors).length)}</p>
        </div>`
      }
      <input type="hidden" name="action" value="save" />
      <input type="hidden" name="token" value="${form.token}" />
      <h2>${heading}</h2>
      <p class="quiet">${lead}</p>
      ${step.braving.map(({ item_id, text }) => renderItem(visit, values, { name: nameItem(item_id), text, scale: step.scale }))}
      ${step.cvf.map((block) => renderBlock(visit, values, block))}
      <p class="buttons">
        <button class="button">${isLast ? texts.button : texts.next}</button>
        ${place > 0 && html`<a href="${nameStep(place - 1)}">${texts.previous}</a>`}
        <output class="quiet"></output>
      </p>
    </form>`;
}

function renderProgress({ texts, format }: Visit, step: number, steps: number): Html {
  const words = texts.questionnaire.progress(format.formatNumber(step), format.formatNumber(steps));
  return html`<div class="progress reading">
    <progress max="${steps}" value="${step - 1}" aria-label="${words}"></progress>
    <p><span>${words}</span></p>
  </div>`;
}

/** Fills the fields of a step with the answers of the draft. */
function fillStep({ braving, cvf }: Step, { answers }: Draft): Fields {
  const items = braving.flatMap(({ item_id }) =>
    answers.braving[item_id] === undefined
      ? []
      : [[nameItem(item_id), String(answers.braving[item_id])] as const],
  );
  const ranks = cvf.flatMap(({ block_id }) =>
    (answers.cvf[block_id] ?? []).map((id, place) => [nameRank(block_id, id), String(place + 1)] as const),
  );
  return Object.fromEntries([...items, ...ranks]);
}

/** Says what is kept, until when, and how to delete it. */
function renderDraft(visit: Visit, { kept_until }: Draft): Html | undefined {
  const { questionnaire: texts } = visit.texts;
  if (kept_until === null) return undefined;
  return html`<section class="after">
    <p class="quiet">${texts.kept(visit.format.formatDate(kept_until))}</p>
    ${renderForm(visit, { action: 'discard', button: texts.discard, look: 'quiet' })}
  </section>`;
}

type Item = { readonly name: string; readonly text: string; readonly scale: readonly string[] };

function renderItem({ form }: Visit, values: Fields, { name, text, scale }: Item): Html {
  const error = form.errors[name];
  const isFirst = Object.keys(form.errors)[0] === name;
  return html`<fieldset class="statement-row ${error !== undefined && 'invalid'}">
    <legend>${text}</legend>
    ${error !== undefined && html`<p class="error" id="${name}-error">${error}</p>`}
    <div class="agreement">
      ${scale.map((words, option) => html`<label><input type="radio" name="${name}" value="${option}" ${values[name] === String(option) && 'checked'} ${isFirst && option === 0 && 'autofocus'} ${error !== undefined && html`aria-describedby="${name}-error"`} /> <span>${words}</span></label>`)}
    </div>
  </fieldset>`;
}

/** Four endings, each with a place from the first to the fourth. */
function renderBlock(
  visit: Visit,
  values: Fields,
  { block_id, text, statements }: Questionnaire['cvf'][number],
): Html {
  const { form, texts } = visit;
  const error = form.errors[`rank_${block_id}`];
  const isFirst = Object.keys(form.errors)[0] === `rank_${block_id}`;
  return html`<fieldset class="ranking ${error !== undefined && 'invalid'}">
    <legend>${text}</legend>
    ${error !== undefined && html`<p class="error" id="rank_${block_id}-error">${error}</p>`}
    ${statements.map(({ statement_id, text: ending }, place) => {
      const name = nameRank(block_id, statement_id);
      return html`<div class="ranked">
        <label for="${name}">${ending}</label>
        <select
          id="${name}"
          name="${name}"
          ${isFirst && place === 0 && 'autofocus'}
          ${error !== undefined && html`aria-invalid="true" aria-describedby="rank_${block_id}-error"`}
        >
          <option value="">${texts.questionnaire.choose}</option>
          ${texts.questionnaire.places.map((words, index) => html`<option value="${index + 1}" ${values[name] === String(index + 1) && 'selected'}>${words}</option>`)}
        </select>
      </div>`;
    })}
  </fieldset>`;
}
