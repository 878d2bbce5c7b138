import * as accounts from '#modules/access/accounts';
import * as rights from '#modules/people/rights';
import { html } from '../serving/html.ts';
import { sendForm, showNarrow, type Page } from '../serving/page.ts';
import { renderForm } from '../parts/form.ts';
import { requireRecent } from './require-recent.ts';

/** Says what follows from deleting the account, and deletes it. */
export const deletePage: Page = {
  show: async (visit) => {
    requireRecent(visit);
    const { email } = await visit.call(accounts.readMe);
    const { deletion } = visit.texts;
    const content = html`<ul class="ticks">
        ${(email === null ? deletion.consequences.slice(0, -1) : deletion.consequences).map((each) => html`<li>${each}</li>`)}
      </ul>
      ${email === null && html`<p class="message bad">${deletion.final}</p>`}
      <p><a href="/app/account/data">${deletion.export}</a></p>
      ${renderForm(visit, {
        button: deletion.button,
        look: 'danger',
        after: html`<a href="/app/account">${deletion.cancel}</a>`,
      })}`;
    return showNarrow(deletion, content);
  },
  actions: {
    send: sendForm(rights.deleteAccount, '/sign-in', 'deletionRequested'),
  },
};
