import { showMemberHome, memberHomeActions } from './member/home.ts';
import { showOrganisationHome } from './organisation/home.ts';
import type { Page } from './serving/page.ts';

/** The first page after a login, by role. */
export const homePage: Page = {
  show: (visit) => (visit.caller.role === 'member' ? showMemberHome(visit) : showOrganisationHome(visit)),
  actions: memberHomeActions,
};
