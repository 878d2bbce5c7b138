import * as accounts from '#modules/access/accounts';
import { html } from '../serving/html.ts';
import { goTo, showView, type Page } from '../serving/page.ts';
import { renderDocuments } from '../parts/documents.ts';
import { renderForm } from '../parts/form.ts';

/** Creates an account for a person, or for an organisation. */
export const registerPage: Page = {
  show: (visit) => {
    if (visit.caller.role !== 'anonymous') return goTo('/app');
    const { register } = visit.texts;
    const isOrganisation = visit.query['for'] === 'organisation';
    const content = html`<div class="narrow">
      <h1>${register.title}</h1>
      <p class="lead">${register.lead}</p>
      <nav class="switch" aria-label="${register.choice}">
        <ul>
          <li><a href="/register" ${!isOrganisation && html`aria-current="page"`}>${register.member}</a></li>
          <li>
            <a href="/register?for=organisation" ${isOrganisation && html`aria-current="page"`}
              >${register.organisation}</a
            >
          </li>
        </ul>
      </nav>
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
          { name: 'email', label: register.email, type: 'email', autocomplete: 'username', maxlength: 254 },
          {
            name: 'password',
            label: register.password,
            type: 'password',
            hint: register.passwordHint,
            autocomplete: 'new-password',
            maxlength: 256,
          },
        ],
      })}
      ${!isOrganisation && html`<p>${visit.texts.claim.linkLead} <a href="/claim">${visit.texts.claim.link}</a></p>`}
      ${!isOrganisation && html`<p>${register.withoutEmail} <a href="/oauth/handle">${register.chooseHandle}</a></p>`}
      <p>${register.haveAccount} <a href="/sign-in">${register.logIn}</a></p>
    </div>`;
    return showView({ title: register.title, layout: 'open', content });
  },
  actions: {
    send: async ({ call, query }, { name = '', email = '', password = '' }) => {
      const role = query['for'] === 'organisation' ? 'org_admin' : 'member';
      await call(accounts.registerUser, { name, email: email.trim(), password, role });
      return goTo('/app', 'emailSent');
    },
  },
};
