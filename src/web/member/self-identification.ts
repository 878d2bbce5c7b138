import * as consent from '#modules/people/consent';
import * as selfIdentification from '#modules/people/self-identification';
import type { OperationBody } from '#platform/operation.ts';
import { renderForm, type Field } from '../parts/form.ts';
import { html, type Html } from '../serving/html.ts';
import { goTo, showNarrow, type Page, type Visit } from '../serving/page.ts';
import { renderTicks } from '../parts/disclosure.ts';

const consent_address = '/app/consent/demographic_self_identification';

/** What a member says about themselves for statistics about fairness, if they have agreed to it. Every question may stay open. */
export const selfIdentificationPage: Page = {
  show: async (visit) => {
    const { selfIdentification: words } = visit.texts;
    const { consents } = await visit.call(consent.readConsent);
    const isGiven = consents.some(
      ({ consent_type, granted }) => consent_type === 'demographic_self_identification' && granted,
    );
    const content = html`${renderTicks(words.facts)}
    ${
      isGiven
        ? renderQuestions(visit, await visit.call(selfIdentification.readSelfIdentification))
        : html`<p class="buttons">
            <a class="button" href="${consent_address}?continue=/app/self-identification">${words.agree}</a>
          </p>`
    }`;
    return showNarrow(words, content, { back: ['/app/consent', visit.texts.consent.back] });
  },
  actions: {
    send: async (visit, fields) => {
      const answers = selfIdentification.identityAttributes.map(
        (attribute) =>
          [
            attribute,
            isOpenQuestion(attribute) ? readBoxes(fields, attribute) : fields[attribute] || null,
          ] as const,
      );
      // The operation refuses answers that do not exist.
      await visit.call(selfIdentification.setSelfIdentification, Object.fromEntries(answers));
      return goTo('/app/self-identification', 'selfIdentificationSaved');
    },
  },
};

type OpenQuestion = (typeof selfIdentification.openQuestions)[number];

function isOpenQuestion(attribute: selfIdentification.IdentityAttribute): attribute is OpenQuestion {
  return selfIdentification.openQuestions.some((each) => each === attribute);
}

function readBoxes(fields: Readonly<Record<string, string>>, attribute: OpenQuestion): readonly string[] {
  const choices: readonly string[] = selfIdentification.identityChoices[attribute];
  return choices.filter((choice) => fields[`${attribute}.${choice}`] === 'true');
}

type Answers = OperationBody<typeof selfIdentification.readSelfIdentification>;

/** Renders the questions that are asked in the member's country: first those with one answer. */
function renderQuestions(visit: Visit, answers: Answers): Html {
  const { selfIdentification: words } = visit.texts;
  const asked = selfIdentification.identityAttributes.filter((each) => answers.offered[each].length > 0);
  return html`<p class="quiet">
      ${answers.country === null ? words.noCountry : words.country(visit.format.formatCountry(answers.country))}
    </p>
    ${renderForm(visit, {
      button: words.button,
      fields: asked.flatMap((each) => (isOpenQuestion(each) ? [] : [buildSelection(visit, answers, each)])),
      groups: asked.filter(isOpenQuestion).map((attribute) => ({
        legend: words.questions[attribute],
        hint: words.several,
        look: 'boxes',
        fields: listBoxes(visit, answers, attribute),
      })),
    })}
    <p><a href="${consent_address}">${words.withdraw}</a></p>`;
}

function listBoxes(visit: Visit, answers: Answers, attribute: OpenQuestion): readonly Field[] {
  const chosen: readonly string[] = answers[attribute];
  return answers.offered[attribute].map((choice) => ({
    name: `${attribute}.${choice}`,
    label: choice === 'several' ? visit.texts.selfIdentification.unnamed : visit.texts.reports.groups[choice],
    look: 'check',
    optional: 'unmarked',
    value: chosen.includes(choice) ? 'true' : null,
  }));
}

function buildSelection(
  visit: Visit,
  answers: Answers,
  attribute: Exclude<selfIdentification.IdentityAttribute, OpenQuestion>,
): Field {
  const { selfIdentification: words, reports } = visit.texts;
  return {
    name: attribute,
    label: words.questions[attribute],
    value: answers[attribute],
    optional: 'unmarked',
    options: [
      ['', words.open],
      ...answers.offered[attribute].map((choice) => [choice, reports.groups[choice]] as const),
    ],
  };
}
