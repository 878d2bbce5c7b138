import * as traits from '#modules/measurement/traits';
import { Refusal } from '#lib/refusal.ts';
import type { OperationBody } from '#platform/operation.ts';
import { buildEmailField, buildLanguageField } from '../parts/fields.ts';
import { renderFog } from '../parts/fog.ts';
import { renderForm } from '../parts/form.ts';
import { html, type Html } from '../serving/html.ts';
import {
  goTo,
  sendForm,
  showNarrow,
  showView,
  type Page,
  type Redirection,
  type View,
  type Visit,
} from '../serving/page.ts';
import { describeInsight, explainInsight } from './first-mirror.ts';

/** Asks visitors to answer for science, if the operator does; says what they agree to, and begins a test. */
export const sciencePage: Page = {
  show: async (visit) => {
    const { version, text, items, minutes, languages } = await visit.call(traits.readVolunteerTerms);
    const { science } = visit.texts;
    const { formatNumber } = visit.format;
    const language = traits.chooseLanguage(visit.language === undefined ? [] : [visit.language], languages);
    const isSecond = visit.query['invitation'] !== undefined;
    const lead = science.lead(formatNumber(items), formatNumber(minutes));
    const content = html`${isSecond && html`<p>${science.again}</p>`}
      <h2>${science.consentTitle}</h2>
      <ul>
        ${text.map((sentence) => html`<li>${sentence}</li>`)}
      </ul>
      ${renderForm(visit, {
        action: 'begin',
        button: science.agree,
        hidden: { agreed_version: version },
        fields: languages.length > 1 ? [buildLanguageField(visit, { language, languages })] : [],
      })}`;
    return showNarrow({ title: science.title, lead }, content, { layout: 'open' });
  },
  actions: {
    begin: async ({ call, query }, { agreed_version = '', language }) => {
      const { invitation } = query;
      const { code } = await call(traits.startVolunteer, {
        // The operation refuses another version.
        agreed_version: agreed_version as '1.0',
        ...(invitation !== undefined && { invitation }),
        ...(language !== undefined && { language }),
      });
      return goTo(`/science/${code}`);
    },
  },
};

/** A test of a volunteer: one item at a time, then the result, and the deletion of the answers. */
export const scienceTestPage: Page = {
  show: async (visit) => {
    const test = await visit.call(traits.readVolunteer, { code: visit.params['code'] ?? '' });
    if (test.result !== null) return showResult(visit, test, test.result);
    if (test.next_item === null) throw new Error('a test without a result asks nothing');
    return showItem(visit, test, test.next_item);
  },
  actions: {
    answer: answerItem,
    invite: sendForm(traits.requestRetest, '/science/{code}', 'retestAsked'),
    delete: async (visit) => {
      await visit.call(traits.deleteVolunteer, { code: visit.params['code'] ?? '' });
      const { science } = visit.texts;
      return showNarrow({ title: science.goneTitle, lead: science.goneLead }, html``, { layout: 'open' });
    },
  },
};

/** Confirms the address for the invitation to the second test, or deletes it, from the link in the email. A button does it, because programs that check mails open their links. */
export const scienceRetestPage: Page = {
  show: (visit) => {
    const { science } = visit.texts;
    const { token } = visit.query;
    if (token === undefined) {
      const head = { title: science.retestTitle, lead: science.retestMissing };
      return showNarrow(head, html``, { layout: 'open' });
    }
    const content = html`${renderForm(visit, { action: 'want', button: science.retestWant })}
    ${renderForm(visit, { action: 'end', button: science.retestEnd, look: 'quiet' })}`;
    return showNarrow({ title: science.retestTitle, lead: science.retestLead }, content, { layout: 'open' });
  },
  actions: {
    want: (visit) => setRetest(visit, true),
    end: (visit) => setRetest(visit, false),
  },
};

async function setRetest({ call, query, address }: Visit, is_wanted: boolean): Promise<Redirection> {
  await call(traits.setRetest, { token: query['token'] ?? '', is_wanted });
  return goTo(address, is_wanted ? 'retestWanted' : 'retestEnded');
}

/** The browser's own back button shows an item that was already answered. */
async function answerItem(
  { call, params, address }: Visit,
  { item_id = '', option = '' }: Readonly<Record<string, string>>,
): Promise<Redirection> {
  try {
    await call(traits.answerVolunteerItem, { code: params['code'] ?? '', item_id, option: Number(option) });
    return goTo(address);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'item_not_asked') return goTo(address, 'alreadyAnswered');
    throw error;
  }
}

type Test = OperationBody<typeof traits.readVolunteer>;
type Item = NonNullable<Test['next_item']>;
type Result = NonNullable<Test['result']>;

function showItem(visit: Visit, { answered, most, language }: Test, item: Item): View {
  const { science } = visit.texts;
  const { formatNumber } = visit.format;
  const words = science.place(formatNumber(answered + 1), formatNumber(most));
  const content = html`<div class="statement">
    <div class="progress">
      <progress max="${most}" value="${answered}" aria-label="${words}"></progress>
      <p><span>${words}</span></p>
    </div>
    <h1 id="statement" lang="${language}" dir="auto">${item.text}</h1>
    ${renderAnswers(visit, item, language)}
    <details class="small privacy">
      <summary>${science.stop}</summary>
      <p>${science.pause}</p>
      ${renderForm(visit, { action: 'delete', button: science.delete, look: 'quiet' })}
    </details>
  </div>`;
  return showView({ title: science.testTitle, layout: 'focus', content });
}

/** Each answer is a button, so that one press answers: by mouse, touch or key, with scripts and without. */
function renderAnswers({ form, texts, address }: Visit, { item_id, options }: Item, language: string): Html {
  return html`<form method="post" action="${address}">
    <input type="hidden" name="action" value="answer" />
    <input type="hidden" name="token" value="${form.token}" />
    <input type="hidden" name="item_id" value="${item_id}" />
    <fieldset class="answers">
      <legend class="hidden">${texts.assessment.answers}</legend>
      ${options.map(
        (words, index) =>
          html`<button name="option" value="${index}" data-key="${index + 1}">
            <span lang="${language}" dir="auto">${words}</span>
          </button>`,
      )}
    </fieldset>
  </form>`;
}

function showResult(visit: Visit, test: Test, result: Result): View {
  const { science } = visit.texts;
  const content = html`<div class="mirror end">
    <h1>${result.insight ? science.doneTitle : science.nothingClear}</h1>
    ${renderInsight(visit, result)}
    <figure class="fog">${renderFog(visit, result.traits, result.insight?.trait_name)}</figure>
    <section class="panel">
      <h2>${science.keepTitle}</h2>
      <p>${science.keep}</p>
    </section>
    ${!test.is_second && renderInvitation(visit, test)}
    <section class="panel">
      <h2>${science.deleteTitle}</h2>
      <p>${science.deleteLead}</p>
      ${renderForm(visit, { action: 'delete', button: science.delete, look: 'danger' })}
    </section>
  </div>`;
  return showView({ title: science.testTitle, layout: 'open', content });
}

/** The trait that is furthest from the middle with its reasons, then the others that are clear. What is not supported is not said. */
function renderInsight(visit: Visit, result: Result): Html {
  const { science, traits: words } = visit.texts;
  const { insight, flags } = result;
  const flagged = flags.map((flag) => html`<p>${words.quality[flag]}</p>`);
  if (insight === null)
    return html`<div>${flags.length > 0 ? flagged : html`<p class="lead">${science.open}</p>`}</div>`;
  const others = result.traits.filter(
    ({ certainty, trait_name }) => certainty === 'clear' && trait_name !== insight.trait_name,
  );
  return html`<div>
    <p class="lead">${describeInsight(visit, insight)} ${explainInsight(visit, result, insight)}</p>
    ${flagged}
    ${
      others.length > 0 &&
      html`<h2 class="after">${science.alsoClear}</h2>
        <ul>
          ${others.map(({ trait_name, word }) => word && html`<li>${describeInsight(visit, { trait_name, word })}</li>`)}
        </ul>`
    }
  </div>`;
}

function renderInvitation(visit: Visit, { is_invited }: Test): Html {
  const { science } = visit.texts;
  return html`<section class="panel">
    <h2>${science.inviteTitle}</h2>
    ${
      is_invited
        ? html`<p>${science.invited}</p>`
        : html`<p>${science.inviteLead}</p>
            ${renderForm(visit, { action: 'invite', button: science.invite, fields: [buildEmailField(science.email)] })}`
    }
  </section>`;
}
