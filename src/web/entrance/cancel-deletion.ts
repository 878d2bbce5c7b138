import * as rights from '#modules/people/rights';
import { goTo, showNarrow, type Page } from '../serving/page.ts';
import { renderForm } from '../parts/form.ts';

/** Undoes the deletion of an account, with the token of the emailed link. */
export const cancelDeletionPage: Page = {
  show: (visit) => {
    const { cancelDeletion } = visit.texts;
    return showNarrow(cancelDeletion, renderForm(visit, { button: cancelDeletion.button }), {
      layout: 'open',
    });
  },
  actions: {
    send: async ({ call, query }) => {
      await call(rights.cancelDeletion, { token: query['token'] ?? '' });
      return goTo('/sign-in', 'deletionCancelled');
    },
  },
};
