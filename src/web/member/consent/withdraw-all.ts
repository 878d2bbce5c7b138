import * as rights from '#modules/people/rights';
import { requireRecent } from '../../account/require-recent.ts';
import { renderForm } from '../../parts/form.ts';
import { html } from '../../serving/html.ts';
import { sendForm, showNarrow, type Page } from '../../serving/page.ts';

/** Says what follows from withdrawing every consent, which closes the account, and does it. */
export const withdrawAllPage: Page = {
  show: (visit) => {
    requireRecent(visit);
    const { withdrawAll } = visit.texts;
    const content = html`<ul class="ticks">
        ${withdrawAll.consequences.map((each) => html`<li>${each}</li>`)}
      </ul>
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
    send: sendForm(rights.withdrawAllConsent, '/sign-in', 'deletionRequested'),
  },
};
