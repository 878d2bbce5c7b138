import * as accounts from '#modules/access/accounts';
import { html, type Content, type Html } from '../serving/html.ts';
import { sendForm, showHeaded, type Page, type Visit } from '../serving/page.ts';
import { renderForm } from '../parts/form.ts';

/** The account of the visitor: what it has, and where to change it. */
export const accountPage: Page = {
  show: async (visit) => {
    const { account } = visit.texts;
    const me = await visit.call(accounts.readMe);
    const content = html`<dl class="rows">
        ${renderName(visit, me.display_name)}
        ${me.handle !== null && renderRow(account.handle, `@${me.handle}`, html``)} ${renderEmail(visit, me)}
        ${renderRow(account.password, account.passwordText, renderLink('/app/account/password', account.change, account.password))}
        ${renderRow(
          account.mfa,
          me.mfa_enabled ? account.mfaOn : account.mfaOff,
          renderLink(
            '/app/account/mfa',
            me.mfa_enabled ? account.mfaTurnOff : account.mfaTurnOn,
            account.mfa,
          ),
        )}
        ${renderRow(account.passkeys, account.passkeysText, renderLink('/app/account/passkeys', account.show, account.passkeys))}
        ${
          me.role !== 'platform_admin' &&
          renderRow(
            account.agents,
            account.agentsText,
            renderLink('/app/agents', account.show, account.agents),
          )
        }
        ${renderRow(account.devices, account.devicesText, renderLink('/app/account/devices', account.show, account.devices))}
        ${
          me.role !== 'platform_admin' &&
          renderRow(
            account.notifications,
            account.notificationsText,
            renderLink('/app/account/notifications', account.change, account.notifications),
          )
        }
        ${renderRow(account.appearance, account.appearanceText, renderLink('/app/account/appearance', account.change, account.appearance))}
        ${me.role === 'member' && renderRow(account.data, account.dataText, renderLink('/app/account/data', account.show, account.data))}
        ${
          me.role === 'member' &&
          renderRow(
            account.deletion,
            account.deletionText,
            renderLink('/app/account/delete', account.show, account.deletion),
          )
        }
      </dl>
      <div class="after">
        ${renderForm(visit, { action: 'log_out', button: account.logOut, look: 'quiet' })}
      </div>`;
    return showHeaded({ title: account.title }, content);
  },
  actions: {
    rename: sendForm(accounts.updateMe, '/app/account', 'nameChanged'),
    resend: sendForm(accounts.resendVerification, '/app/account', 'verificationSent'),
    log_out: sendForm(accounts.logOut, '/sign-in', 'loggedOut'),
  },
};

function renderName(visit: Visit, display_name: string | null): Html {
  const { account } = visit.texts;
  const form = renderForm(visit, {
    action: 'rename',
    button: account.nameButton,
    look: 'quiet',
    fields: [
      {
        name: 'display_name',
        label: account.name,
        value: display_name,
        autocomplete: 'name',
        maxlength: 200,
      },
    ],
  });
  return html`<div class="wide">
    <dt class="hidden">${account.name}</dt>
    <dd>${form}</dd>
  </div>`;
}

function renderEmail(
  visit: Visit,
  { email, email_verified }: { readonly email: string | null; readonly email_verified: boolean },
): Html {
  const { account } = visit.texts;
  if (email === null)
    return renderRow(
      account.email,
      account.emailMissing,
      renderLink('/app/account/email', account.add, account.email),
    );
  const value = html`${email}
    <span class="tag ${!email_verified && 'clay'}"
      >${email_verified ? account.emailVerified : account.emailUnverified}</span
    >
    ${!email_verified && renderForm(visit, { action: 'resend', button: account.resend, look: 'quiet' })}`;
  return renderRow(account.email, value, renderLink('/app/account/email', account.change, account.email));
}

function renderRow(label: string, value: Content, action: Html): Html {
  return html`<div>
    <dt>${label}</dt>
    <dd>${value}</dd>
    <dd class="do">${action}</dd>
  </div>`;
}

/** A link whose word means something only beside its label: screen readers get both. */
function renderLink(to: string, word: string, label: string): Html {
  return html`<a href="${to}">${word}<span class="hidden">: ${label}</span></a>`;
}
