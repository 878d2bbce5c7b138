import * as credentials from '#modules/credentials/credentials';
import { renderForm } from '../../parts/form.ts';
import { renderTicks } from '../../parts/disclosure.ts';
import { html } from '../../serving/html.ts';
import { goTo, showNarrow, type Page } from '../../serving/page.ts';
import { readCredential } from './credential-facts.ts';

/** Says what follows from revoking a credential, and revokes it. */
export const revokeCredentialPage: Page = {
  show: async (visit) => {
    const { id, credential_type, status } = await readCredential(visit);
    if (status !== 'active') return goTo(`/app/credentials/${id}`);
    const { revocation, credentials: list } = visit.texts;
    const content = html`<p><strong>${list.types[credential_type]}</strong></p>
      <p class="lead">${revocation.lead}</p>
      ${renderTicks(revocation.consequences)}
      ${renderForm(visit, {
        button: revocation.button,
        look: 'danger',
        fields: [
          {
            name: 'reason',
            label: revocation.reason,
            hint: revocation.reasonHint,
            maxlength: 500,
            optional: true,
          },
        ],
        after: html`<a href="/app/credentials/${id}">${revocation.cancel}</a>`,
      })}`;
    return showNarrow({ title: revocation.title }, content);
  },
  actions: {
    send: async ({ call, params }, { reason = '' }) => {
      const credential_id = params['credential_id'] ?? '';
      const given = reason.trim() === '' ? {} : { reason };
      await call(credentials.revokeCredential, { credential_id, ...given });
      return goTo(`/app/credentials/${credential_id}`, 'credentialRevoked');
    },
  },
};
