import * as accounts from '#modules/access/accounts';
import { Refusal } from '#lib/refusal.ts';
import { renderDocuments } from '../parts/documents.ts';
import { buildPasswordField } from '../parts/fields.ts';
import { renderForm } from '../parts/form.ts';
import { html } from '../serving/html.ts';
import { goTo, showNarrow, type Page, type View, type Visit } from '../serving/page.ts';

/** Opens the account that was requested, with the link of the email and a password. The password is chosen here, because only the owner of the mailbox comes here. */
export const openAccountPage: Page = {
  show: (visit) => {
    if (visit.caller.role !== 'anonymous') return goTo('/app');
    const { openAccount, register } = visit.texts;
    const hasToken = visit.query['token'] !== undefined;
    const content = hasToken
      ? renderForm(visit, {
          button: openAccount.button,
          focus: true,
          before_buttons: renderDocuments(visit),
          fields: [buildPasswordField(register.password, register.passwordHint)],
        })
      : html`<p><a href="/register">${openAccount.again}</a></p>`;
    const lead = hasToken ? openAccount.lead : openAccount.missing;
    return showNarrow({ title: openAccount.title, lead }, content, { layout: 'open' });
  },
  actions: {
    send: async (visit, { password = '' }) => {
      try {
        await visit.call(accounts.openAccount, { token: visit.query['token'] ?? '', password });
        return goTo('/app', 'accountOpened');
      } catch (error) {
        if (error instanceof Refusal && error.code === 'email_taken') return showAccountExists(visit);
        throw error;
      }
    },
  },
};

/** Anyone who opens the link has proven that the mailbox is theirs, and may learn that its address has an account. */
function showAccountExists({ texts: { openAccount, signIn } }: Visit): View {
  const content = html`<p class="buttons"><a class="button" href="/sign-in">${signIn.button}</a></p>
    <p><a href="/forgot-password">${signIn.forgot}</a></p>`;
  const head = { title: openAccount.existsTitle, lead: openAccount.exists };
  return showNarrow(head, content, { layout: 'open', status: 409 });
}
