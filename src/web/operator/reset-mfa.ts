import * as operator from '#modules/operations/operator';
import * as accounts from '#modules/access/accounts';
import { html } from '../serving/html.ts';
import { sendForm, showNarrow, type Page } from '../serving/page.ts';
import { requireRecent } from '../account/require-recent.ts';
import { renderTicks } from '../parts/disclosure.ts';
import { renderForm } from '../parts/form.ts';

/** Disables MFA of a person who lost the phone, with the consequences first. */
export const resetMfaPage: Page = {
  show: async (visit) => {
    requireRecent(visit);
    const { operatorReset } = visit.texts;
    const account = await visit.call(operator.inspectUser, {
      user_id: visit.params['user_id'] ?? '',
    });
    const { id, mfa_enabled } = account;
    const back = `/app/operator/users/${id}`;
    const content = html`${
      mfa_enabled
        ? html`${renderTicks(operatorReset.consequences)}
          ${renderForm(visit, {
            action: 'reset',
            button: operatorReset.button,
            look: 'danger',
            after: html`<a href="${back}">${operatorReset.cancel}</a>`,
          })}`
        : html`<p>${operatorReset.off}</p>
            <p class="buttons"><a class="button" href="${back}">${operatorReset.back}</a></p>`
    }`;
    return showNarrow(
      { title: operatorReset.title, lead: operatorReset.lead(accounts.toLoginName(account)) },
      content,
    );
  },
  actions: {
    reset: sendForm(operator.resetAccountMfa, '/app/operator/users/{user_id}', 'mfaReset'),
  },
};
