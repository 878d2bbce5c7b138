import * as culture from '#modules/organisations/culture';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Html } from '../../serving/html.ts';
import { showHeaded, type Page, type Visit } from '../../serving/page.ts';
import { readUnlessRefused } from '../../parts/read-unless-refused.ts';
import { renderTrust, renderValues } from './charts.ts';

/** The culture profile of the organisation, and whether the visitor has answered the questionnaire. */
export const culturePage: Page = {
  show: async (visit) => {
    const { culture: texts } = visit.texts;
    const [profile, questionnaire] = await Promise.all([
      readProfile(visit),
      visit.call(culture.readQuestionnaire),
    ]);
    const content = html`${renderInvitation(visit, questionnaire)}
    ${profile ? renderProfile(visit, profile) : html`<p class="after quiet">${texts.notYet(String(questionnaire.minimum_respondents))}</p>`}`;
    return showHeaded(texts, content);
  },
};

type Profile = OperationBody<typeof culture.readProfile>;
type Questionnaire = OperationBody<typeof culture.readQuestionnaire>;

/** The version that the address names, or the latest; undefined if there is none yet. */
function readProfile({ call, query }: Visit): Promise<Profile | undefined> {
  const version = /^\d{1,6}$/.test(query['version'] ?? '') ? Number(query['version']) : undefined;
  return readUnlessRefused(['culture_profile_not_ready'], () =>
    call(culture.readProfile, version === undefined || version === 0 ? {} : { version }),
  );
}

function renderInvitation({ texts: { culture: texts }, format }: Visit, questionnaire: Questionnaire): Html {
  const { answered_at, respondents_missing } = questionnaire;
  return html`<section class="panel answer">
    <h2>${answered_at === null ? texts.yourTurn : texts.answered}</h2>
    <p>
      ${answered_at === null ? texts.yourTurnLead : texts.answeredLead(format.formatDate(answered_at))}
      ${respondents_missing > 0 && texts.missing(respondents_missing)}
    </p>
    <p class="buttons">
      <a class="button ${answered_at !== null && 'quiet'}" href="/app/culture/questionnaire"
        >${answered_at === null ? texts.answer : texts.answerAgain}</a
      >
    </p>
  </section>`;
}

function renderProfile(visit: Visit, profile: Profile): Html {
  const { culture: texts } = visit.texts;
  const { version, respondents, computed_at, braving, cvf } = profile;
  return html`<section class="after">
      <p class="quiet">
        ${texts.based(visit.format.formatNumber(respondents), visit.format.formatDate(computed_at))}
        ${version > 1 && html`<a href="/app/culture?version=${version - 1}">${texts.earlier}</a>`}
        ${visit.query['version'] !== undefined && html`<a href="/app/culture">${texts.latest}</a>`}
      </p>
    </section>
    <div class="culture-charts">
      <section>
        <h2>${texts.trust}</h2>
        <p class="quiet">${texts.trustLead}</p>
        ${renderTrust(visit, braving)}
      </section>
      <section>
        <h2>${texts.values}</h2>
        <p class="quiet">${texts.valuesLead}</p>
        ${renderValues(visit, cvf)}
      </section>
    </div>`;
}
