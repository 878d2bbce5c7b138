import * as consent from '#modules/people/consent';
import * as rights from '#modules/people/rights';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Html } from '../../serving/html.ts';
import { showHeaded, showNarrow, type Page, type Visit } from '../../serving/page.ts';
import { closeAccount } from '../../account/data.ts';
import { requireRecent } from '../../account/require-recent.ts';
import { renderForm } from '../../parts/form.ts';
import { renderTicks } from '../../parts/disclosure.ts';

/** Everything that the member can consent to, what they have decided, and the history of their decisions. */
export const consentPage: Page = {
  show: async (visit) => {
    const { cursor } = visit.query;
    const [{ consents, consent_level }, history] = await Promise.all([
      visit.call(consent.readConsent),
      visit.call(consent.listConsentHistory, { limit: 10, ...(cursor !== undefined && { cursor }) }),
    ]);
    const { consent: texts } = visit.texts;
    const content = html`<dl class="rows decisions">${consents.map((each) => renderType(visit, each))}</dl>
      ${renderHistory(visit, history)}
      <section class="group">
        <h2>${texts.everythingTitle}</h2>
        <p>${texts.everythingText} <a href="/app/consent/withdraw-all">${texts.everythingLink}</a></p>
      </section>`;
    return showHeaded(texts, content, {
      below: html`<p>
        <span class="tag">${texts.level(texts.levelNames[consent_level])}</span>
        ${texts.levels[consent_level]}
      </p>`,
    });
  },
};

/** A member's decision on a type of consent. */
export type Decided = OperationBody<typeof consent.readConsent>['consents'][number];

/** When the member decided, in words. */
export function formatDecision({ texts, format }: Visit, { granted, updated_at }: Decided): string {
  const { states } = texts.consent;
  if (updated_at === null) return states.never;
  return granted
    ? states.given(format.formatDate(updated_at))
    : states.withdrawn(format.formatDate(updated_at));
}

function renderType(visit: Visit, decided: Decided): Html {
  const { consent: texts } = visit.texts;
  const { consent_type, granted, is_outdated } = decided;
  const { title, allows } = texts.types[consent_type];
  const isOffered = consent_type !== 'demographic_self_identification';
  const action = texts.open[is_outdated ? 'renew' : granted ? 'withdraw' : isOffered ? 'give' : 'read'];
  return html`<div>
    <dt>${title}</dt>
    <dd>
      <p>${allows}</p>
      <p class="small state ${granted ? 'given' : 'open'}">${formatDecision(visit, decided)}</p>
      ${is_outdated && html`<p class="small">${texts.outdated}</p>`}
    </dd>
    <dd class="do">
      <a href="/app/consent/${consent_type}" aria-label="${texts.openFor(action, title)}">${action}</a>
    </dd>
  </div>`;
}

type History = OperationBody<typeof consent.listConsentHistory>;

function renderHistory({ texts, format, query }: Visit, { data, pagination }: History): Html {
  const { consent: words } = texts;
  return html`<section class="group" id="decisions">
    <h2>${words.historyTitle}</h2>
    <p class="quiet">${data.length === 0 ? words.historyEmpty : words.historyLead}</p>
    <ul class="history">
      ${data.map(
        (each) =>
          html`<li>
            <span>${describeDecision(texts, each)}</span>
            <span class="quiet small">${format.formatTime(each.created_at)}</span>
          </li>`,
      )}
    </ul>
    ${query['cursor'] !== undefined && html`<p><a href="/app/consent">${words.newest}</a></p>`}
    ${pagination.next_cursor !== null && html`<p><a href="/app/consent?cursor=${encodeURIComponent(pagination.next_cursor)}">${words.earlier}</a></p>`}
  </section>`;
}

function describeDecision(
  { consent: { types, categories, historyWords } }: Visit['texts'],
  { consent_type, category, granted }: History['data'][number],
): string {
  if (category !== null) return historyWords[granted ? 'approved' : 'stopped'](categories[category].title);
  return historyWords[granted ? 'given' : 'withdrawn'](types[consent_type].title);
}

/** Says what follows from withdrawing every consent, which closes the account, and does it. */
export const withdrawAllPage: Page = {
  show: (visit) => {
    requireRecent(visit);
    const { withdrawAll } = visit.texts;
    const content = html`${renderTicks(withdrawAll.consequences)}
      <p>${withdrawAll.only}</p>
      <p><a href="/app/account/data">${withdrawAll.export}</a></p>
      ${renderForm(visit, {
        button: withdrawAll.button,
        look: 'danger',
        after: html`<a href="/app/consent">${withdrawAll.cancel}</a>`,
      })}`;
    return showNarrow(withdrawAll, content);
  },
  actions: {
    send: (visit) => closeAccount(visit, rights.withdrawAllConsent),
  },
};
