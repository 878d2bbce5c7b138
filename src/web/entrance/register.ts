import * as accounts from '#modules/access/accounts';
import { renderSwitch } from '../parts/switch.ts';
import { html } from '../serving/html.ts';
import { goTo, showNarrow, type Page } from '../serving/page.ts';
import { renderDocuments } from '../parts/documents.ts';
import { renderForm } from '../parts/form.ts';
import { buildEmailField } from '../parts/fields.ts';

/** Asks for an account for a person, or for an organisation. The page says the same whether or not the address has one: an email says the rest. */
export const registerPage: Page = {
  show: (visit) => {
    if (visit.caller.role !== 'anonymous') return goTo('/app');
    const { register } = visit.texts;
    const isOrganisation = visit.query['for'] === 'organisation';
    const content = html`${renderSwitch(register.choice, [
        ['/register', register.member, !isOrganisation],
        ['/register?for=organisation', register.organisation, isOrganisation],
      ])}
      ${renderForm(visit, {
        button: register.button,
        before_buttons: renderDocuments(visit),
        fields: [
          {
            name: 'name',
            label: isOrganisation ? register.organisationName : register.name,
            autocomplete: isOrganisation ? 'organization' : 'name',
            maxlength: 200,
          },
          buildEmailField(register.email),
        ],
      })}
      ${!isOrganisation && html`<p>${visit.texts.claim.linkLead} <a href="/claim">${visit.texts.claim.link}</a></p>`}
      ${!isOrganisation && html`<p>${register.withoutEmail} <a href="/oauth/handle">${register.chooseHandle}</a></p>`}
      <p>${register.haveAccount} <a href="/sign-in">${register.logIn}</a></p>`;
    return showNarrow(register, content, { layout: 'open' });
  },
  actions: {
    send: async (visit, { name = '', email = '' }) => {
      const { register } = visit.texts;
      const role = visit.query['for'] === 'organisation' ? 'org_admin' : 'member';
      await visit.call(accounts.requestAccount, { name, email: email.trim(), role });
      const content = html`<p role="status">${register.sent(email.trim())}</p>
        <p class="quiet">${register.sentHint}</p>
        <p>${register.haveAccount} <a href="/sign-in">${register.logIn}</a></p>`;
      return showNarrow({ title: register.sentTitle }, content, { layout: 'open' });
    },
  },
};
