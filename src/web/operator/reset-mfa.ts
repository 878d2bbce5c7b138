import * as operator from '#modules/operations/operator';
import * as accounts from '#modules/access/accounts';
import { html } from '../serving/html.ts';
import { goTo, showView, type Page } from '../serving/page.ts';
import { requireRecent } from '../account/require-recent.ts';
import { renderConsequences } from '../parts/disclosure.ts';
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
    const content = html`<div class="narrow">
      <h1>${operatorReset.title}</h1>
      <p class="lead">${operatorReset.lead(accounts.toLoginName(account))}</p>
      ${
        mfa_enabled
          ? html`${renderConsequences(operatorReset.consequences)}
            ${renderForm(visit, {
              action: 'reset',
              button: operatorReset.button,
              look: 'danger',
              after: html`<a href="${back}">${operatorReset.cancel}</a>`,
            })}`
          : html`<p>${operatorReset.off}</p>
              <p class="buttons"><a class="button" href="${back}">${operatorReset.back}</a></p>`
      }
    </div>`;
    return showView({ title: operatorReset.title, layout: 'app', content });
  },
  actions: {
    reset: async ({ call, params }) => {
      const { user_id } = await call(operator.resetAccountMfa, { user_id: params['user_id'] ?? '' });
      return goTo(`/app/operator/users/${user_id}`, 'mfaReset');
    },
  },
};
