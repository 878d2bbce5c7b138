import * as auth from '#modules/auth';
import { html } from '../serving/html.ts';
import { goTo, readContinuation, showView, type Page } from '../serving/page.ts';
import { renderForm } from '../parts/form.ts';

/** Asks for the password or a code before a change that could cost the account, and then returns to it. */
export const confirmPage: Page = {
  show: async (visit) => {
    const { confirm } = visit.texts;
    const { mfa_enabled } = await visit.call(auth.readMe);
    const content = html`<div class="narrow">
      <h1>${confirm.title}</h1>
      <p class="lead">${confirm.lead}</p>
      ${renderForm(visit, {
        button: confirm.button,
        focus: true,
        fields: [
          {
            name: 'password',
            label: confirm.password,
            type: 'password',
            autocomplete: 'current-password',
            maxlength: 256,
          },
        ],
      })}
      ${
        mfa_enabled &&
        html`<h2>${confirm.byCode}</h2>
          ${renderForm(visit, {
            action: 'code',
            button: confirm.button,
            look: 'quiet',
            fields: [
              {
                name: 'code',
                label: confirm.code,
                inputmode: 'numeric',
                autocomplete: 'one-time-code',
                maxlength: 10,
              },
            ],
          })}`
      }
    </div>`;
    return showView({ title: confirm.title, layout: 'app', content });
  },
  actions: {
    send: async (visit, { password = '' }) => {
      await visit.call(auth.reauthenticateUser, { password });
      return goTo(readContinuation(visit, '/app/account'));
    },
    code: async (visit, { code = '' }) => {
      await visit.call(auth.reauthenticateUser, { code: code.replace(/\s/g, '') });
      return goTo(readContinuation(visit, '/app/account'));
    },
  },
};
