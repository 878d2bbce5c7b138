import * as accounts from '#modules/access/accounts';
import * as rights from '#modules/people/rights';
import { parseTime } from '#lib/outside-values.ts';
import { html } from '../serving/html.ts';
import { goTo, showNarrow, type Page } from '../serving/page.ts';
import { renderForm } from '../parts/form.ts';

/**
 * Verifies an address with the token of an emailed link. A button does it, because programs that check mails for harmful links open them, and
 * would use up the token.
 */
export const verifyEmailPage: Page = {
  show: (visit) => {
    const { verifyEmail } = visit.texts;
    const hasToken = visit.query['token'] !== undefined;
    const content = html`${hasToken ? renderForm(visit, { button: verifyEmail.button }) : html`<p><a href="/app">${verifyEmail.next}</a></p>`}`;
    return showNarrow(
      { title: verifyEmail.title, lead: hasToken ? verifyEmail.lead : verifyEmail.missing },
      content,
      { layout: 'open' },
    );
  },
  actions: {
    send: async ({ call, caller, query }) => {
      await call(accounts.verifyEmail, { token: query['token'] ?? '' });
      return goTo(caller.role === 'anonymous' ? '/sign-in' : '/app', 'emailVerified');
    },
  },
};

/** Says that the account is closed, and until when what undoes this. It needs no login: the account has none any more. */
export const accountClosedPage: Page = {
  show: ({ texts: { accountClosed }, format, query }) => {
    const until = parseTime(query['until'] ?? '');
    const undo = until ? accountClosed.undoUntil(format.formatTime(until.toISOString())) : accountClosed.undo;
    return showNarrow(accountClosed, html`<p>${undo}</p>`, { layout: 'open' });
  },
};

/** Says that the account stays. It needs no login: the emailed link has proven whose account it is. */
export const accountKeptPage: Page = {
  show: ({ texts: { accountKept } }) => {
    const content = html`<p>${accountKept.matches}</p>
      <p class="buttons"><a class="button" href="/sign-in">${accountKept.logIn}</a></p>
      <p class="quiet">${accountKept.notYou} <a href="/forgot-password">${accountKept.newPassword}</a></p>`;
    return showNarrow(accountKept, content, { layout: 'open' });
  },
};

/** Undoes the deletion of an account, with the token of the emailed link. */
export const cancelDeletionPage: Page = {
  show: (visit) => {
    const { cancelDeletion } = visit.texts;
    const content = html`${renderForm(visit, { button: cancelDeletion.button })}`;
    return showNarrow(cancelDeletion, content, { layout: 'open' });
  },
  actions: {
    send: async ({ call, query }) => {
      await call(rights.cancelDeletion, { token: query['token'] ?? '' });
      return goTo('/account-kept');
    },
  },
};
