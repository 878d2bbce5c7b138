import { Refusal } from '#lib/refusal.ts';
import * as operator from '#modules/operations/operator';
import { html } from '../serving/html.ts';
import { sendForm, showHeaded, type Page } from '../serving/page.ts';
import { requireRecent } from '../account/require-recent.ts';
import { renderTicks } from '../parts/disclosure.ts';
import { renderFacts } from '../parts/facts.ts';
import { renderForm } from '../parts/form.ts';

/** One signing key, and its revocation with the consequences first. */
export const keyPage: Page = {
  show: async (visit) => {
    const { operatorKeys, operatorKey: words } = visit.texts;
    const { keys } = await visit.call(operator.listKeys);
    const key = keys.find(({ kid }) => kid === visit.params['kid']);
    if (!key) throw new Refusal('signing_key_not_found');
    // Before the form is filled in: the operation behind it needs a recent authentication.
    if (key.state !== 'revoked') requireRecent(visit);
    const { formatTime } = visit.format;
    const title = `${operatorKeys.purposes[key.purpose]}, ${key.algorithm}`;
    const content = html`<div class="sides">
      <section>
        ${renderFacts([
          [
            words.state,
            html`<span class="tag ${key.state !== 'active' && 'clay'}"
              >${operatorKeys.states[key.state]}</span
            >`,
          ],
          [words.created, formatTime(key.created_at)],
          [words.retired, key.retired_at === null ? undefined : formatTime(key.retired_at)],
          [words.revoked, key.revoked_at === null ? undefined : formatTime(key.revoked_at)],
          ['kid', html`<code>${key.kid}</code>`],
        ])}
      </section>
      <aside>
        ${
          key.state === 'revoked'
            ? html`<p>${words.done}</p>`
            : html`<h2>${words.revoke}</h2>
                <p>${words.revokeLead}</p>
                ${renderTicks(words.consequences[key.purpose])}
                ${renderForm(visit, { action: 'revoke', button: words.button, look: 'danger' })}`
        }
      </aside>
    </div>`;
    return showHeaded({ title }, content, { back: ['/app/operator/keys', words.back] });
  },
  actions: {
    revoke: sendForm(operator.revokeKey, '/app/operator/keys/{kid}', 'keyRevoked'),
  },
};
