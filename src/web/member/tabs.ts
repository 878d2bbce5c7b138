import { renderTabs } from '../parts/tabs.ts';
import type { Html } from '../serving/html.ts';
import type { Visit } from '../serving/page.ts';

/** The pages about what was measured. */
export function renderResultTabs(visit: Visit): Html {
  const { frame } = visit.texts;
  return renderTabs(visit, frame.you, [
    ['/app/traits', frame.traits],
    ['/app/archetype', frame.archetype],
    ['/app/assessment', frame.assessment],
  ]);
}

/** The pages about being matched. */
export function renderMatchTabs(visit: Visit): Html {
  const { frame, preferences, rights } = visit.texts;
  return renderTabs(visit, frame.matches, [
    ['/app/matches', frame.matches],
    ['/app/preferences', frame.preferences],
    ['/app/preferences/profile', preferences.profile],
    ['/app/rights', rights.tab],
  ]);
}
