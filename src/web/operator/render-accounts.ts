import { toLoginName } from '#modules/access/accounts';
import type { searchUsers } from '#modules/operations/operator';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Html } from '../serving/html.ts';
import type { Visit } from '../serving/page.ts';

type Account = OperationBody<typeof searchUsers>['data'][number];

/** Renders accounts as a list, with their organisations unless the page is about one. */
export function renderAccounts(
  { texts, format }: Visit,
  accounts: readonly Account[],
  { with_organisation = true } = {},
): Html {
  const { operatorUsers } = texts;
  return html`<ul class="list accounts">
    ${accounts.map(
      ({ id, email, handle, display_name, role, status, organisation_name, last_login }) =>
        html`<li>
          <a href="/app/operator/users/${id}"
            ><strong>${display_name ?? toLoginName({ email, handle })}</strong>
            ${display_name !== null && html`<span>${toLoginName({ email, handle })}</span>`}</a
          >
          <span>
            ${status !== 'active' && html`<span class="tag clay">${operatorUsers.statuses[status]}</span>`}
            <span class="tag plain">${operatorUsers.roles[role]}</span>
          </span>
          <span class="quiet small"
            >${with_organisation && organisation_name !== null && html`${organisation_name}, `}${operatorUsers.lastLogin(format.formatDate(last_login))}</span
          >
        </li>`,
    )}
  </ul>`;
}
