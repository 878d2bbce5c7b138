import * as rights from '#modules/people/rights';
import { html } from '../serving/html.ts';
import { goTo, showView, type Page } from '../serving/page.ts';
import { renderForm } from '../parts/form.ts';

/** Undoes the deletion of an account, with the token of the emailed link. */
export const cancelDeletionPage: Page = {
  show: (visit) => {
    const { cancelDeletion } = visit.texts;
    const content = html`<div class="narrow">
      <h1>${cancelDeletion.title}</h1>
      <p class="lead">${cancelDeletion.lead}</p>
      ${renderForm(visit, { button: cancelDeletion.button })}
    </div>`;
    return showView({ title: cancelDeletion.title, layout: 'open', content });
  },
  actions: {
    send: async ({ call, query }) => {
      await call(rights.cancelDeletion, { token: query['token'] ?? '' });
      return goTo('/sign-in', 'deletionCancelled');
    },
  },
};
