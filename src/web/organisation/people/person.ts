import * as orgUsers from '#modules/organisations/org-users';
import { html, type Html } from '../../serving/html.ts';
import { goTo, sendForm, showNarrow, type Page, type View, type Visit } from '../../serving/page.ts';
import { renderAddress } from '../../parts/address.ts';
import { renderForm } from '../../parts/form.ts';
import { requireRecent } from '../../account/require-recent.ts';
import { isAdmin, showAdminsOnly } from '../admins-only.ts';
import { findUser, listAllUsers, listOrgRoles, nameUser, type User } from './user.ts';

/** One person of the organisation, or one open invitation: another role, another email, or the end. */
export const personPage: Page = {
  show: async (visit) => {
    const { person: texts } = visit.texts;
    if (!isAdmin(visit)) return showAdminsOnly(visit, texts.title);
    const users = await listAllUsers(visit);
    const user = findUser(users, visit.params['user_id'] ?? '');
    if (user.status === 'invited') return showInvitation(visit, user);
    requireRecent(visit);
    return showUser(visit, user, users);
  },
  actions: {
    role: async (visit, { role = '' }) => {
      const user_id = visit.params['user_id'] ?? '';
      // The operation refuses what is not a role.
      await visit.call(orgUsers.changeUserRole, { user_id, role: role as User['role'] });
      return isSelf(visit, user_id) ? goTo('/sign-in', 'ownRoleChanged') : goTo('/app/people', 'roleChanged');
    },
    remove: async (visit) => {
      const user_id = visit.params['user_id'] ?? '';
      await visit.call(orgUsers.removeUser, { user_id });
      return isSelf(visit, user_id)
        ? goTo('/sign-in', 'leftOrganisation')
        : goTo('/app/people', 'userRemoved');
    },
    cancel: sendForm(orgUsers.removeUser, '/app/people', 'invitationCancelled'),
    resend: sendForm(orgUsers.resendInvitation, '/app/people', 'invited'),
  },
};

function isSelf({ caller }: Visit, user_id: string): boolean {
  return caller.role !== 'anonymous' && caller.user_id === user_id;
}

function showInvitation(visit: Visit, user: User): View {
  const { person: texts, people } = visit.texts;
  const expires = user.expires_at === null ? '' : people.expires(visit.format.formatDate(user.expires_at));
  return showPerson(
    visit,
    user,
    html`<p class="lead">${people.invitedAs(people.roles[user.role])}${expires !== '' && `, ${expires}`}</p>
      <p>${texts.invitationLead}</p>
      ${renderForm(visit, { action: 'resend', button: texts.resend, look: 'quiet' })}
      ${renderForm(visit, { action: 'cancel', button: texts.cancelInvitation, look: 'danger' })}`,
  );
}

function showUser(visit: Visit, user: User, users: readonly User[]): View {
  const { people } = visit.texts;
  const own = isSelf(visit, user.id);
  const isOnlyAdmin =
    user.role === 'org_admin' &&
    !users.some(({ id, role, status }) => id !== user.id && role === 'org_admin' && status === 'active');
  return showPerson(
    visit,
    user,
    html`<p class="lead">
        ${[user.display_name !== null && user.email, people.roles[user.role]].filter(Boolean).join(' · ')}
      </p>
      ${isOnlyAdmin ? renderHandOver(visit, users) : renderChanges(visit, user, own)}`,
  );
}

/** The only administrator cannot go before another user is one. */
function renderHandOver({ texts: { person: texts } }: Visit, users: readonly User[]): Html {
  const others = users.filter(({ role, status }) => role !== 'org_admin' && status === 'active');
  return html`<p class="message good">${texts.onlyAdmin}</p>
    ${
      others.length === 0
        ? html`<p>
            ${texts.nobodyElse}
            <a href="/app/people">${texts.inviteSomebody}</a>
          </p>`
        : html`<p>${texts.handOver}</p>
            <ul class="plain-list">
              ${others.map((user) => html`<li><a href="/app/people/${user.id}">${nameUser(user)}</a></li>`)}
            </ul>`
    }`;
}

function renderChanges(visit: Visit, user: User, own: boolean): Html {
  const { person: texts } = visit.texts;
  return html`${renderForm(visit, {
      action: 'role',
      button: texts.changeRole,
      fields: [
        {
          name: 'role',
          label: visit.texts.people.role,
          hint: own ? texts.ownRoleHint : texts.roleHint,
          look: 'radio',
          value: user.role,
          options: listOrgRoles(visit),
        },
      ],
    })}
    <h2>${own ? texts.leave : texts.remove}</h2>
    <p>${own ? texts.leaveLead : texts.removeLead(nameUser(user))}</p>
    ${renderForm(visit, { action: 'remove', button: own ? texts.leaveButton : texts.removeButton, look: 'danger' })}`;
}

function showPerson(visit: Visit, user: User, content: Html): View {
  const title = nameUser(user);
  return showNarrow({ title, heading: renderAddress(title) }, content, {
    back: ['/app/people', visit.texts.person.back],
  });
}
