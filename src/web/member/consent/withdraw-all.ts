import * as rights from '#modules/people/rights';
import { requireRecent } from '../../account/require-recent.ts';
import { renderForm } from '../../parts/form.ts';
import { html } from '../../serving/html.ts';
import { goTo, showView, type Page } from '../../serving/page.ts';

/** Says what follows from withdrawing every consent, which closes the account, and does it. */
export const withdrawAllPage: Page = {
  show: (visit) => {
    requireRecent(visit);
    const { withdrawAll } = visit.texts;
    const content = html`<div class="narrow">
      <h1>${withdrawAll.title}</h1>
      <p class="lead">${withdrawAll.lead}</p>
      <ul class="ticks">
        ${withdrawAll.consequences.map((each) => html`<li>${each}</li>`)}
      </ul>
      <p>${withdrawAll.only}</p>
      <p><a href="/app/account/data">${withdrawAll.export}</a></p>
      ${renderForm(visit, {
        button: withdrawAll.button,
        look: 'danger',
        after: html`<a href="/app/consent">${withdrawAll.cancel}</a>`,
      })}
    </div>`;
    return showView({ title: withdrawAll.title, layout: 'app', content });
  },
  actions: {
    send: async ({ call }) => {
      await call(rights.withdrawAllConsent);
      return goTo('/sign-in', 'deletionRequested');
    },
  },
};
