import * as auth from '#modules/auth';
import * as orgs from '#modules/orgs';
import { html } from '../serving/html.ts';
import { showView, type View, type Visit } from '../serving/page.ts';

/** The home of a user of an organisation, and of the operator. */
export async function showOrganisationHome(visit: Visit): Promise<View> {
  const { organisationHome } = visit.texts;
  const me = await visit.call(auth.readMe);
  const organisation = me.role === 'platform_admin' ? undefined : await visit.call(orgs.readOrganisation);
  const content = html`<header class="head">
    <h1>${organisation?.name ?? organisationHome.operator}</h1>
    <p class="lead">${organisationHome.loggedInAs(me.display_name ?? me.email)}</p>
  </header>`;
  return showView({ title: organisationHome.title, layout: 'app', content });
}
