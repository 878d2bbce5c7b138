import { showMemberHome, memberHomeActions } from './member/home.ts';
import { showOrganisationHome } from './organisation/home.ts';
import { goTo, type Page } from './serving/page.ts';

/** The first page after a login, by role. */
export const homePage: Page = {
  show: (visit) => {
    if (visit.caller.role === 'member') return showMemberHome(visit);
    return visit.caller.role === 'platform_admin' ? goTo('/app/operator') : showOrganisationHome(visit);
  },
  actions: memberHomeActions,
};
