import * as operator from '#modules/operations/operator';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Html } from '../serving/html.ts';
import { goTo, sendForm, showHeaded, type Page, type Visit } from '../serving/page.ts';
import { renderTicks, renderDisclosure } from '../parts/disclosure.ts';
import { renderForm } from '../parts/form.ts';
import { Refusal } from '#lib/refusal.ts';
import { requireRecent } from '../account/require-recent.ts';
import { renderFacts } from '../parts/facts.ts';

/** The signing keys, those that sign first, and the rotation of all. */
export const keysPage: Page = {
  show: async (visit) => {
    const { operatorKeys: words } = visit.texts;
    const { keys } = await visit.call(operator.listKeys);
    const active = keys.filter(({ state }) => state === 'active');
    const older = keys.filter(({ state }) => state !== 'active');
    const content = html`${renderKeys(visit, active)}
    ${renderDisclosure(
      words.rotate,
      html`${renderTicks(words.rotateConsequences)}
      ${renderForm(visit, { action: 'rotate', button: words.rotateButton })}`,
      visit.form.action === 'rotate',
    )}
    ${
      older.length > 0 &&
      html`<section class="group">
        <h2>${words.older}</h2>
        ${renderKeys(visit, older)}
      </section>`
    }`;
    return showHeaded(words, content);
  },
  actions: {
    rotate: sendForm(operator.rotateKeys, '/app/operator/keys', 'keysRotated'),
  },
};

type Key = OperationBody<typeof operator.listKeys>['keys'][number];

function renderKeys({ texts, format }: Visit, keys: readonly Key[]): Html {
  const { operatorKeys: words } = texts;
  return html`<ul class="list">
    ${keys.map((key) => {
      const { kid, purpose, algorithm, state } = key;
      return html`<li>
        <a href="/app/operator/keys/${kid}"
          ><strong>${words.purposes[purpose]}</strong> <span>${algorithm}</span></a
        >
        <span class="tag ${state === 'revoked' && 'clay'} ${state === 'retired' && 'plain'}"
          >${words.states[state]}</span
        >
        <span class="quiet small">${describeDates(words, format, key)} · <code>${kid}</code></span>
      </li>`;
    })}
  </ul>`;
}

function describeDates(
  words: Visit['texts']['operatorKeys'],
  { formatDate }: Visit['format'],
  { created_at, retired_at, revoked_at }: Key,
): string {
  return [
    words.created(formatDate(created_at)),
    ...(revoked_at === null && retired_at !== null ? [words.retired(formatDate(retired_at))] : []),
    ...(revoked_at === null ? [] : [words.revoked(formatDate(revoked_at))]),
  ].join(', ');
}

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
    revoke: async ({ call, params }) => {
      const { kid } = await call(operator.revokeKey, { kid: params['kid'] ?? '' });
      return goTo(`/app/operator/keys/${kid}`, 'keyRevoked');
    },
  },
};
