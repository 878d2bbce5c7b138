import * as operator from '#modules/operations/operator';
import * as accounts from '#modules/access/accounts';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Html } from '../serving/html.ts';
import { sendForm, showHeaded, type Page, type Visit } from '../serving/page.ts';
import { renderTicks, renderDisclosure } from '../parts/disclosure.ts';
import { renderFacts } from '../parts/facts.ts';
import { renderForm } from '../parts/form.ts';

/** One account: what it is, and what the operator can do. It shows nothing that was measured. */
export const userPage: Page = {
  show: async (visit) => {
    const { operatorUser, operatorUsers } = visit.texts;
    const account = await visit.call(operator.inspectUser, { user_id: visit.params['user_id'] ?? '' });
    const name = account.display_name ?? accounts.toLoginName(account);
    const content = html`<div class="sides">
      <section>
        <h2>${operatorUser.facts}</h2>
        ${renderAccountFacts(visit, account)}
      </section>
      <aside>
        <h2>${operatorUser.acts}</h2>
        ${renderActs(visit, account)}
      </aside>
    </div>`;
    return showHeaded({ title: name }, content, {
      back: ['/app/operator/users', operatorUser.back],
      below: html`<p>
          <span class="tag plain">${operatorUsers.roles[account.role]}</span>
          <span class="tag ${account.status !== 'active' && 'clay'}"
            >${operatorUsers.statuses[account.status]}</span
          >
        </p>
        <p class="quiet">${operatorUser.lead}</p>`,
    });
  },
  actions: {
    suspend: sendForm(operator.suspendAccount, '/app/operator/users/{user_id}', 'userSuspended'),
    resume: sendForm(operator.resumeAccount, '/app/operator/users/{user_id}', 'userResumed'),
  },
};

type Account = OperationBody<typeof operator.inspectUser>;

function renderAccountFacts({ texts, format }: Visit, account: Account): Html {
  const { operatorUser: words } = texts;
  const { formatTime, formatNumber } = format;
  const { id, role, linked_entity_id, organisation_name, open_sessions } = account;
  return renderFacts([
    [
      words.email,
      html`${accounts.toLoginName(account)}
        <span class="tag ${!account.email_verified && 'clay'}"
          >${account.email_verified ? words.verified : words.unverified}</span
        >`,
    ],
    [
      words.organisation,
      organisation_name === null
        ? undefined
        : html`<a href="/app/operator/organisations/${linked_entity_id}">${organisation_name}</a>`,
    ],
    [words.mfa, account.mfa_enabled ? words.mfaOn : words.mfaOff],
    [words.sessions, words.devices(formatNumber(open_sessions), open_sessions)],
    [words.lastLogin, formatTime(account.last_login)],
    [words.created, formatTime(account.created_at)],
    [words.level, account.engagement_level === null ? undefined : formatNumber(account.engagement_level)],
    [words.externalId, account.external_id],
    [words.id, html`<code>${id}</code>`],
    [words.memberId, role === 'member' ? html`<code>${linked_entity_id}</code>` : undefined],
  ]);
}

function renderActs(visit: Visit, { id, status, mfa_enabled }: Account): Html {
  const { operatorUser } = visit.texts;
  return html`${status === 'active' && renderSuspension(visit)}
  ${status === 'suspended' && renderResumption(visit)}
  ${status === 'pending_deletion' && html`<p>${operatorUser.closed}</p>`}
  ${
    mfa_enabled &&
    html`<h3>${operatorUser.resetMfa}</h3>
      <p class="quiet">${operatorUser.resetMfaText}</p>
      <p class="buttons">
        <a class="button quiet" href="/app/operator/users/${id}/reset-mfa">${operatorUser.resetMfaLink}</a>
      </p>`
  }`;
}

function renderSuspension(visit: Visit): Html {
  const { operatorUser } = visit.texts;
  const content = html`${renderTicks(operatorUser.suspendConsequences)}
  ${renderForm(visit, { action: 'suspend', button: operatorUser.suspendButton, look: 'danger' })}`;
  return renderDisclosure(operatorUser.suspend, content, visit.form.action === 'suspend');
}

function renderResumption(visit: Visit): Html {
  const { operatorUser } = visit.texts;
  return html`<p>${operatorUser.resumeText}</p>
    ${renderForm(visit, { action: 'resume', button: operatorUser.resumeButton })}`;
}
