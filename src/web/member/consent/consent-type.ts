import * as consent from '#modules/people/consent';
import { Refusal } from '#lib/refusal.ts';
import { renderForm } from '../../parts/form.ts';
import { renderTicks } from '../../parts/disclosure.ts';
import { html, type Html } from '../../serving/html.ts';
import {
  goTo,
  readContinuation,
  showHeaded,
  type Page,
  type Redirection,
  type Visit,
} from '../../serving/page.ts';
import { formatDecision, type Decided } from './consent.ts';
import { renderOwnConsent } from './consent-example.ts';
import { renderCategories } from './query-categories.ts';

const overview = '/app/consent';

/** One type of consent: its text, what follows from either decision, and the decision. */
export const consentTypePage: Page = {
  show: async (visit) => {
    const consent_type = readType(visit);
    const { consents } = await visit.call(consent.readConsent);
    const decided = consents.find((each) => each.consent_type === consent_type)!;
    const { version, content: layers, full } = await renderOwnConsent(visit, consent_type);
    const { consent: texts } = visit.texts;
    const { title } = texts.types[consent_type];
    const categories = consent_type === 'identity_queries' && (await renderCategories(visit, consents));
    const content = html`${decided.granted && categories} ${layers}
    ${decided.granted && html`<p class="quiet small">${texts.version(decided.version ?? version)}</p>`}
    ${renderDecision(visit, decided, version)} ${full} ${renderConsequences(visit, consent_type)}
    ${!decided.granted && categories}`;
    return showHeaded({ title }, content, {
      back: [overview, texts.back],
      below: html`${decided.updated_at !== null && html`<p class="state ${decided.granted ? 'given' : 'open'}">${formatDecision(visit, decided)}</p>`}
      ${
        consent_type === 'demographic_self_identification' &&
        html`<p><a href="/app/self-identification">${visit.texts.selfIdentification.link}</a></p>`
      }`,
    });
  },
  actions: {
    give: async (visit, { version = '' }) => {
      await decide(visit, true, version);
      return goTo(readContinuation(visit, overview), 'consentGiven');
    },
    withdraw: async (visit, { version = '' }) => {
      await decide(visit, false, version);
      return goTo(overview, 'consentWithdrawn');
    },
    approve: (visit, { category = '' }) => setCategory(visit, category, true),
    disapprove: (visit, { category = '' }) => setCategory(visit, category, false),
  },
};

/** @throws Refusal `route_not_found` for a type that does not exist. */
function readType({ params }: Visit): consent.ConsentType {
  const found = consent.consentTypes.find((each) => each === params['consent_type']);
  if (!found) throw new Refusal('route_not_found');
  return found;
}

async function decide(visit: Visit, granted: boolean, version: string): Promise<void> {
  // The operation refuses a version that is not published.
  const record = { consent_type: readType(visit), granted, version: version as '1.0' };
  await visit.call(consent.recordConsent, record);
}

async function setCategory(
  { call, address }: Visit,
  category: string,
  approved: boolean,
): Promise<Redirection> {
  // The operation refuses a category that does not exist.
  await call(consent.setQueryCategory, { category: category as consent.QueryCategory, approved });
  return goTo(address, 'categoryChanged');
}

function renderConsequences({ texts: { consent: texts } }: Visit, type: consent.ConsentType): Html {
  const { given, withdrawn } = texts.types[type];
  const renderList = (title: string, sentences: readonly string[]) =>
    html`<section>
      <h2>${title}</h2>
      ${renderTicks(sentences)}
    </section>`;
  return html`<div class="halves">
    ${renderList(texts.ifGiven, given)} ${renderList(texts.ifWithdrawn, withdrawn)}
  </div>`;
}

function renderDecision(visit: Visit, { granted, is_outdated }: Decided, version: string): Html {
  const { consent: texts } = visit.texts;
  const renderWithdrawal = () =>
    renderForm(visit, {
      action: 'withdraw',
      button: texts.withdraw,
      look: 'danger',
      hidden: { version },
      after: html`<a href="${overview}">${visit.texts.forms.cancel}</a>`,
    });
  if (is_outdated)
    return html`<p class="message">${texts.outdated}</p>
      ${renderForm(visit, { action: 'give', button: texts.renew, hidden: { version } })} ${renderWithdrawal()}`;
  if (granted) return renderWithdrawal();
  return renderForm(visit, { action: 'give', button: texts.give, hidden: { version } });
}
