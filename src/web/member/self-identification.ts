import * as consent from '#modules/consent';
import * as selfIdentification from '#modules/self-identification';
import type { OperationBody } from '#platform/operation.ts';
import { renderForm } from '../parts/form.ts';
import { html, type Html } from '../serving/html.ts';
import { goTo, showView, type Page, type Visit } from '../serving/page.ts';

const consent_address = '/app/consent/demographic_self_identification';

/** What a member says about themselves for statistics about fairness, if they have agreed to it. Every question may stay open. */
export const selfIdentificationPage: Page = {
  show: async (visit) => {
    const { selfIdentification: words } = visit.texts;
    const { consents } = await visit.call(consent.readConsent);
    const isGiven = consents.some(
      ({ consent_type, granted }) => consent_type === 'demographic_self_identification' && granted,
    );
    const content = html`<div class="narrow">
      <p class="back"><a href="/app/consent">${visit.texts.consent.back}</a></p>
      <h1>${words.title}</h1>
      <p class="lead">${words.lead}</p>
      <ul class="ticks">
        ${words.facts.map((each) => html`<li>${each}</li>`)}
      </ul>
      ${
        isGiven
          ? renderQuestions(visit, await visit.call(selfIdentification.readSelfIdentification))
          : html`<p class="buttons">
              <a class="button" href="${consent_address}?continue=/app/self-identification">${words.agree}</a>
            </p>`
      }
    </div>`;
    return showView({ title: words.title, layout: 'app', content });
  },
  actions: {
    send: async (visit, fields) => {
      const answers = selfIdentification.identityAttributes.map(
        (attribute) => [attribute, fields[attribute] || null] as const,
      );
      // The operation refuses answers that do not exist.
      await visit.call(selfIdentification.setSelfIdentification, Object.fromEntries(answers));
      return goTo('/app/self-identification', 'selfIdentificationSaved');
    },
  },
};

type Answers = OperationBody<typeof selfIdentification.readSelfIdentification>;

function renderQuestions(visit: Visit, answers: Answers): Html {
  const { groups } = visit.texts.reports;
  const { selfIdentification: words } = visit.texts;
  return html`${renderForm(visit, {
      button: words.button,
      fields: selfIdentification.identityAttributes.map((attribute) => {
        return {
          name: attribute,
          label: words.questions[attribute],
          value: answers[attribute],
          optional: 'unmarked',
          options: [
            ['', words.open],
            ...selfIdentification.identityAnswers[attribute].map(
              (answer) => [answer, groups[answer]] as const,
            ),
          ],
        };
      }),
    })}
    <p><a href="${consent_address}">${words.withdraw}</a></p>`;
}
