import * as culture from '#modules/organisations/culture';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Html } from '../../serving/html.ts';
import { showHeaded, type Page, type Visit } from '../../serving/page.ts';
import { readUnlessRefused } from '../../parts/read-unless-refused.ts';
import { isAdmin } from '../admins-only.ts';
import { renderTrust, renderValues } from './charts.ts';

/** The culture profile of the organisation, and whether the visitor has answered the questionnaire. */
export const culturePage: Page = {
  show: async (visit) => {
    const { culture: texts } = visit.texts;
    const [profile, questionnaire, draft, terms] = await Promise.all([
      readProfile(visit),
      visit.call(culture.readQuestionnaire),
      visit.call(culture.readDraft),
      visit.call(culture.readDeclaration),
    ]);
    const content = html`${renderInvitation(visit, questionnaire, draft)}
    ${terms.refused === null && renderDeclaring(visit, profile)}
    ${profile ? renderProfile(visit, profile) : html`<p class="after quiet">${texts.notYet(String(questionnaire.minimum_respondents))}</p>`}`;
    return showHeaded(texts, content);
  },
};

type Profile = OperationBody<typeof culture.readProfile>;
type Questionnaire = OperationBody<typeof culture.readQuestionnaire>;
type Draft = OperationBody<typeof culture.readDraft>;

/** The version that the address names, or the latest; undefined if there is none yet. */
function readProfile({ call, query }: Visit): Promise<Profile | undefined> {
  const version = /^\d{1,6}$/.test(query['version'] ?? '') ? Number(query['version']) : undefined;
  return readUnlessRefused(['culture_profile_not_ready'], () =>
    call(culture.readProfile, version === undefined || version === 0 ? {} : { version }),
  );
}

function renderInvitation(visit: Visit, questionnaire: Questionnaire, draft: Draft): Html {
  const { culture: texts } = visit.texts;
  const { title, lead, button, look } = describeTurn(visit, questionnaire, draft);
  const { respondents_missing } = questionnaire;
  return html`<section class="panel answer">
    <h2>${title}</h2>
    <p>${lead} ${respondents_missing > 0 && texts.missing(respondents_missing)}</p>
    <p class="buttons"><a class="button ${look}" href="/app/culture/questionnaire">${button}</a></p>
  </section>`;
}

/** What the visitor has answered, saved, or not begun. */
function describeTurn(
  { texts: { culture: texts }, format }: Visit,
  { answered_at }: Questionnaire,
  { kept_until }: Draft,
) {
  if (kept_until !== null)
    return { title: texts.begun, lead: texts.begunLead(format.formatDate(kept_until)), button: texts.goOn };
  if (answered_at === null) return { title: texts.yourTurn, lead: texts.yourTurnLead, button: texts.answer };
  const lead = texts.answeredLead(format.formatDate(answered_at));
  return { title: texts.answered, lead, button: texts.answerAgain, look: 'quiet' as const };
}

/** What an organisation of fewer than five people can do at once. */
function renderDeclaring(visit: Visit, profile: Profile | undefined): Html | undefined {
  const { culture: texts } = visit.texts;
  if (!isAdmin(visit)) return undefined;
  return html`<section class="panel answer">
    <h2>${profile ? texts.declareAgain : texts.declare}</h2>
    <p>${texts.declareLead}</p>
    <p class="buttons">
      <a class="button quiet" href="/app/culture/declaration">${visit.texts.declaration.title}</a>
    </p>
  </section>`;
}

function renderProfile(visit: Visit, profile: Profile): Html {
  const { culture: texts } = visit.texts;
  const { version, basis, respondents, computed_at, braving, cvf } = profile;
  const isDeclared = basis === 'declared';
  return html`<section class="after">
      <p class="quiet">
        ${
          isDeclared
            ? texts.declared(visit.format.formatDate(computed_at))
            : texts.based(visit.format.formatNumber(respondents), visit.format.formatDate(computed_at))
        }
        ${version > 1 && html`<a href="/app/culture?version=${version - 1}">${texts.earlier}</a>`}
        ${visit.query['version'] !== undefined && html`<a href="/app/culture">${texts.latest}</a>`}
      </p>
      ${isDeclared && html`<p class="quiet">${texts.declaredLead}</p>`}
    </section>
    <div class="culture-charts">
      <section>
        <h2>${texts.trust}</h2>
        <p class="quiet">${isDeclared ? texts.trustDeclared : texts.trustLead}</p>
        ${renderTrust(visit, braving)}
      </section>
      <section>
        <h2>${texts.values}</h2>
        <p class="quiet">${texts.valuesLead}</p>
        ${renderValues(visit, cvf)}
      </section>
    </div>`;
}
