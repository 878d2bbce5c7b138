import { renderCopyButton } from '../serving/copy-button.ts';
import * as matches from '#modules/matching/matches';
import { html, type Html } from '../serving/html.ts';
import type { Visit } from '../serving/page.ts';
import { isAdmin } from './admins-only.ts';

/** Whether a service has so few members that an administrator reads what to do; undefined while they are counted for the first time. */
export async function hasFewMembers(visit: Visit): Promise<boolean | undefined> {
  if (!isAdmin(visit)) return false;
  const { at_least } = await visit.call(matches.estimateReach, {});
  return at_least === null ? undefined : at_least === 0;
}

/** Renders what an organisation does where nobody or hardly anybody can be matched yet, and what becomes of it. */
export function renderBeginning({ texts: { beginning }, publicUrl }: Visit): Html {
  const address = `${publicUrl}/register`;
  return html`<section class="panel" aria-labelledby="beginning">
    <h2 id="beginning">${beginning.title}</h2>
    <p>${beginning.lead}</p>
    <ol class="steps">
      <li>
        <strong>${beginning.publish}</strong> ${beginning.publishText}
        <a href="/app/jobs/new">${beginning.newJob}</a>
      </li>
      <li>
        <strong>${beginning.invite}</strong> ${beginning.inviteText} <code>${address}</code>
        ${renderCopyButton(address, beginning)}
      </li>
      <li><strong>${beginning.wait}</strong> ${beginning.waitText}</li>
    </ol>
    <p>${beginning.membersSee}</p>
    <p><a href="/app/example">${beginning.example}</a></p>
  </section>`;
}
