import { Refusal } from '#lib/refusal.ts';
import * as culture from '#modules/organisations/culture';
import type { OperationBody, OperationInput } from '#platform/operation.ts';
import { html, type Html } from '../../serving/html.ts';
import { goTo, showView, type Page, type Visit } from '../../serving/page.ts';
import { readAnswers, nameItem, nameRank } from './read-answers.ts';

type Questionnaire = OperationBody<typeof culture.readQuestionnaire>;

/** The questionnaire about the culture of the organisation, on one page. */
export const questionnairePage: Page = {
  show: async (visit) => {
    const { questionnaire: texts } = visit.texts;
    const questionnaire = await visit.call(culture.readQuestionnaire);
    const content = html`<p class="back"><a href="/app/culture">${texts.back}</a></p>
      <header class="head reading">
        <h1>${texts.title}</h1>
        <p class="lead">${texts.lead}</p>
        <p class="quiet">${texts.privacy(String(questionnaire.minimum_respondents))}</p>
      </header>
      ${renderQuestions(visit, questionnaire)}`;
    return showView({ title: texts.title, layout: 'app', content });
  },
  actions: {
    send: async (visit, fields) => {
      const questionnaire = await visit.call(culture.readQuestionnaire);
      const { answers, missing } = readAnswers(questionnaire, fields);
      if (missing.length > 0) {
        const { incomplete, order } = visit.texts.questionnaire;
        const errors = missing.map(({ name, kind }) => ({
          pointer: `/${name}`,
          reason: kind === 'item' ? incomplete : order,
        }));
        throw new Refusal('field_invalid', { errors });
      }
      await visit.call(culture.answerQuestionnaire, {
        // The operation refuses a statement that does not exist.
        answers: answers as OperationInput<typeof culture.answerQuestionnaire>['answers'],
        questionnaire_version: questionnaire.version as 'culture-2',
      });
      return goTo('/app/culture', 'questionnaireAnswered');
    },
  },
};

function renderQuestions(visit: Visit, { scale, braving, cvf }: Questionnaire): Html {
  const { questionnaire: texts } = visit.texts;
  const { form } = visit;
  const refused = form.action === 'send';
  return html`<form class="form wide questionnaire" method="post" action="${visit.address}">
    ${
      refused &&
      html`<div class="message bad" role="alert">
        <p>${form.message ?? visit.texts.forms.problem}</p>
        <p>${texts.missing(Object.keys(form.errors).length)}</p>
      </div>`
    }
    <input type="hidden" name="action" value="send" />
    <input type="hidden" name="token" value="${form.token}" />
    <h2>${texts.trust}</h2>
    <p class="quiet">${texts.trustLead}</p>
    ${braving.map(({ item_id, text }) => renderItem(visit, { name: nameItem(item_id), text, scale }))}
    <h2>${texts.values}</h2>
    <p class="quiet">${texts.valuesLead}</p>
    ${cvf.map((block) => renderBlock(visit, block))}
    <p class="buttons">
      <button class="button">${texts.button}</button>
      <a href="/app/culture">${visit.texts.forms.cancel}</a>
    </p>
  </form>`;
}

type Item = { readonly name: string; readonly text: string; readonly scale: readonly string[] };

function renderItem({ form }: Visit, { name, text, scale }: Item): Html {
  const error = form.errors[name];
  const isFirst = Object.keys(form.errors)[0] === name;
  return html`<fieldset class="statement-row ${error !== undefined && 'invalid'}">
    <legend>${text}</legend>
    ${error !== undefined && html`<p class="error" id="${name}-error">${error}</p>`}
    <div class="agreement">
      ${scale.map((words, option) => html`<label><input type="radio" name="${name}" value="${option}" ${form.values[name] === String(option) && 'checked'} ${isFirst && option === 0 && 'autofocus'} ${error !== undefined && html`aria-describedby="${name}-error"`} /> <span>${words}</span></label>`)}
    </div>
  </fieldset>`;
}

/** Four endings, each with a place from the first to the fourth. */
function renderBlock(visit: Visit, { block_id, text, statements }: Questionnaire['cvf'][number]): Html {
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
          ${texts.questionnaire.places.map((words, index) => html`<option value="${index + 1}" ${form.values[name] === String(index + 1) && 'selected'}>${words}</option>`)}
        </select>
      </div>`;
    })}
  </fieldset>`;
}
