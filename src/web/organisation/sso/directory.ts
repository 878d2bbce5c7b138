import { orgRoles, type OrgRole } from '#lib/caller.ts';
import * as directories from '#modules/access/directories';
import * as audit from '#modules/operations/audit';
import type { OperationBody } from '#platform/operation.ts';
import { renderForm } from '../../parts/form.ts';
import { html, type Html } from '../../serving/html.ts';
import { goTo, readCursor, showHeaded, type Page, type Visit } from '../../serving/page.ts';
import { renderEntry } from '../audit.ts';
import { listAllUsers, nameUser } from '../people/user.ts';

type Groups = OperationBody<typeof directories.listDirectoryGroups>['data'];
type Acts = OperationBody<typeof audit.readAuditLog>;

const path = '/app/directory';
/** An organisation has at most 200 groups: two pages. */
const page_groups_max = 100;
const acts_max = 50;

/** What the directory of the organisation did, and the roles that its groups give. */
export const directoryPage: Page = {
  show: async (visit) => {
    const { directory: texts } = visit.texts;
    const [groups, acts, users] = await Promise.all([
      listAllGroups(visit),
      visit.call(audit.readAuditLog, { limit: acts_max, action: 'directories.*', ...readCursor(visit) }),
      listAllUsers(visit),
    ]);
    const names = new Map([
      ...users.map((user) => [user.id, nameUser(user)] as const),
      ...groups.map(({ id, display_name }) => [id, display_name] as const),
    ]);
    const content = html`${renderGroups(visit, groups)} ${renderActs(visit, acts, names)}`;
    return showHeaded(texts, content, { back: ['/app/sso', texts.back] });
  },
  actions: {
    role: async (visit, { group_id = '', role = '' }) => {
      const given = orgRoles.find((each) => each === role) ?? null;
      await visit.call(directories.setGroupRole, { group_id, role: given });
      return goTo(path, 'groupRoleSaved');
    },
  },
};

async function listAllGroups(visit: Visit): Promise<Groups> {
  const list = (cursor: string | null) =>
    visit.call(directories.listDirectoryGroups, {
      limit: page_groups_max,
      ...(cursor !== null && { cursor }),
    });
  const first = await list(null);
  const { next_cursor } = first.pagination;
  return next_cursor === null ? first.data : [...first.data, ...(await list(next_cursor)).data];
}

function renderGroups(visit: Visit, groups: Groups): Html {
  const { directory: texts } = visit.texts;
  return html`<section class="group">
    <h2>${texts.groups}</h2>
    <p>${groups.length === 0 ? texts.noGroups : texts.groupsLead}</p>
    ${groups.map((group) => renderGroup(visit, group))}
  </section>`;
}

function renderGroup(visit: Visit, { id, display_name, members, role }: Groups[number]): Html {
  const { directory: texts, people } = visit.texts;
  const options = orgRoles.map((each: OrgRole) => [each, people.roles[each]] as const);
  return html`<article class="panel">
    <h3>${display_name}</h3>
    <p>${texts.members(visit.format.formatNumber(members))}</p>
    ${renderForm(visit, {
      action: 'role',
      button: texts.save,
      button_label: `${texts.save}: ${display_name}`,
      look: 'quiet',
      hidden: { group_id: id },
      fields: [
        {
          name: 'role',
          id: `role-${id}`,
          label: texts.role,
          value: role ?? '',
          optional: 'unmarked',
          options: [['', texts.noRole], ...options],
        },
      ],
    })}
  </article>`;
}

function renderActs(
  visit: Visit,
  { data, pagination: { next_cursor } }: Acts,
  names: ReadonlyMap<string, string>,
): Html {
  const { directory: texts, audit: auditTexts } = visit.texts;
  const isLater = visit.query['cursor'] !== undefined;
  return html`<section class="after">
    <h2>${texts.acts}</h2>
    ${
      data.length === 0
        ? html`<p class="quiet">${texts.noActs}</p>`
        : html`<ol class="log">
            ${data.map((entry) => renderEntry(visit, entry, names))}
          </ol>`
    }
    <p class="buttons">
      ${next_cursor !== null && html`<a class="button quiet" href="${path}?${new URLSearchParams({ cursor: next_cursor }).toString()}">${auditTexts.older}</a>`}
      ${isLater && html`<a href="${path}">${auditTexts.newest}</a>`}
    </p>
  </section>`;
}
