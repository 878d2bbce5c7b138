import * as orgUsers from '#modules/organisations/org-users';
import { html, type Html } from '../../serving/html.ts';
import { goTo, readCursor, showHeaded, type Page, type Visit } from '../../serving/page.ts';
import { renderForm } from '../../parts/form.ts';
import { isAdmin, showReadersOnly } from '../admins-only.ts';
import { listOrgRoles, nameUser, type User } from './user.ts';

const rows_max = 50;

/** The people of the organisation and the open invitations. */
export const peoplePage: Page = {
  show: async (visit) => {
    const { people: texts } = visit.texts;
    if (visit.caller.role === 'org_viewer') return showReadersOnly(visit, texts.title);
    const { data, pagination } = await visit.call(orgUsers.listUsers, {
      limit: rows_max,
      ...readCursor(visit),
    });
    const content = html`<div class="sides people-page">
      <div>
        <ul class="list users">
          ${data.map((user) => renderUser(visit, user))}
        </ul>
        ${pagination.next_cursor !== null && html`<p class="after"><a href="/app/people?cursor=${encodeURIComponent(pagination.next_cursor)}">${texts.more}</a></p>`}
      </div>
      ${isAdmin(visit) && renderInvitation(visit)}
    </div>`;
    return showHeaded(texts, content);
  },
  actions: {
    invite: async ({ call }, { email = '', role = '' }) => {
      // The operation refuses what is not a role.
      await call(orgUsers.inviteUser, { email: email.trim(), role: role as User['role'] });
      return goTo('/app/people', 'invited');
    },
  },
};

function renderUser(visit: Visit, user: User): Html {
  const { people: texts } = visit.texts;
  const { id, email, display_name, role, status } = user;
  const isSelf = visit.caller.role !== 'anonymous' && visit.caller.user_id === id;
  const name = html`<strong>${nameUser(user)}</strong>`;
  return html`<li>
    <div>
      ${isAdmin(visit) ? html`<a href="/app/people/${id}">${name}</a>` : name}
      ${isSelf && html`<span class="quiet">(${texts.you})</span>`}
      <span class="small quiet block"
        >${[display_name !== null && email, describeTimes(visit, user)].filter(Boolean).join(' · ')}</span
      >
    </div>
    <span class="tag ${status !== 'active' && 'clay'}"
      >${status === 'active' ? texts.roles[role] : texts.statuses[status]}</span
    >
  </li>`;
}

function describeTimes({ texts: { people: texts }, format }: Visit, user: User): string {
  const { status, role, last_login, expires_at } = user;
  if (status === 'invited' && expires_at !== null)
    return `${texts.invitedAs(texts.roles[role])} · ${texts.expires(format.formatDate(expires_at))}`;
  return last_login === null ? texts.neverLoggedIn : texts.lastLogin(format.formatDate(last_login));
}

function renderInvitation(visit: Visit): Html {
  const { people: texts } = visit.texts;
  return html`<section class="panel" aria-labelledby="invite">
    <h2 id="invite">${texts.invite}</h2>
    <p class="quiet">${texts.inviteLead}</p>
    ${renderForm(visit, {
      action: 'invite',
      button: texts.inviteButton,
      fields: [
        { name: 'email', label: texts.email, type: 'email', maxlength: 254 },
        {
          name: 'role',
          label: texts.role,
          look: 'radio',
          value: 'org_viewer',
          options: listOrgRoles(visit),
        },
      ],
    })}
  </section>`;
}
