import * as accounts from '#modules/access/accounts';
import { buildQrCode, formatQrSvg } from '@tessera/pdf/qr-code';
import { html, trustMarkup, type Html } from '../serving/html.ts';
import { goTo, showNarrow, type Page, type View, type Visit } from '../serving/page.ts';
import { renderForm } from '../parts/form.ts';
import { requireRecent } from './require-recent.ts';
import { buildCodeField } from '../parts/fields.ts';

/** Turns MFA on, with a QR code and recovery codes, or off. */
export const mfaPage: Page = {
  show: async (visit) => {
    requireRecent(visit);
    const { secret, provisioning_uri } = visit.form.values;
    if (secret !== undefined && provisioning_uri !== undefined)
      return showSetUp(visit, { secret, provisioning_uri });
    const { mfa_enabled } = await visit.call(accounts.readMe);
    if (visit.query['notice'] === 'mfaNeeded' && (mfa_enabled || (await hasPasskey(visit))))
      return goTo('/app/account/confirm?continue=/app/operator', 'mfaNeeded');
    return mfa_enabled ? showDisabling(visit) : showBeginning(visit);
  },
  actions: {
    begin: async (visit) => showSetUp(visit, await visit.call(accounts.setUpMfa)),
    enable: async (visit, { code = '' }) => {
      const { recovery_codes } = await visit.call(accounts.verifyMfa, { code: code.replace(/\s/g, '') });
      return showRecoveryCodes(visit, recovery_codes);
    },
    disable: async ({ call }, { code = '' }) => {
      await call(accounts.disableMfa, { code: code.replace(/\s/g, '') });
      return goTo('/app/account', 'mfaDisabled');
    },
  },
};

function showBeginning(visit: Visit): View {
  const { mfa } = visit.texts;
  return showNarrow(
    { title: mfa.title },
    html`<p class="lead">${mfa.lead}</p>
      ${renderForm(visit, { action: 'begin', button: mfa.start, after: renderCancel(visit) })}`,
  );
}

async function hasPasskey(visit: Visit): Promise<boolean> {
  const { data } = await visit.call(accounts.listPasskeys);
  return data.length > 0;
}

/** The secret travels with the form, so that a mistyped code does not need a new one. */
function showSetUp(
  visit: Visit,
  { secret, provisioning_uri }: { readonly secret: string; readonly provisioning_uri: string },
): View {
  const { mfa } = visit.texts;
  const qr = formatQrSvg(buildQrCode(provisioning_uri.slice(0, 500)), mfa.qr);
  return showNarrow(
    { title: mfa.title },
    html`<h2>${mfa.scan}</h2>
      <div class="qr">${trustMarkup(qr)}</div>
      <p>${mfa.secret}<br /><code>${secret}</code></p>
      ${renderForm(visit, {
        action: 'enable',
        button: mfa.button,
        hidden: { secret, provisioning_uri },
        fields: [buildCodeField(mfa.code)],
        after: renderCancel(visit),
      })}`,
  );
}

function showRecoveryCodes({ texts: { mfa } }: Visit, codes: readonly string[]): View {
  return showNarrow(
    { title: mfa.codesTitle },
    html`<p class="lead" role="status">${mfa.codesLead}</p>
      <ul class="codes">
        ${codes.map((code) => html`<li><code>${code}</code></li>`)}
      </ul>
      <p class="buttons"><a class="button" href="/app/account">${mfa.codesDone}</a></p>`,
  );
}

function showDisabling(visit: Visit): View {
  const { mfa } = visit.texts;
  return showNarrow(
    { title: mfa.offTitle },
    html`<p class="lead">${mfa.offLead}</p>
      ${renderForm(visit, {
        action: 'disable',
        button: mfa.offButton,
        look: 'danger',
        fields: [buildCodeField(mfa.offCode)],
        after: renderCancel(visit),
      })}`,
  );
}

function renderCancel({ texts }: Visit): Html {
  return html`<a href="/app/account">${texts.forms.cancel}</a>`;
}
