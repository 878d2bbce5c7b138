import * as credentials from '#modules/credentials/credentials';
import * as matches from '#modules/matching/matches';
import * as traits from '#modules/measurement/traits';
import { html, type Html } from '../serving/html.ts';
import type { Visit } from '../serving/page.ts';

type Action = keyof Visit['texts']['memberHome']['actions'];

const links: Readonly<Record<Action, string>> = {
  answer: '/app/matches',
  deepen: '/app/assessment?more=true',
  credential: '/app/credentials/new',
  matches: '/app/matches',
};

/** The one thing to do next for a member whose path is complete: what others wait for comes first. */
export async function renderNextAction(visit: Visit): Promise<Html> {
  const action = await findNextAction(visit);
  const { title, text, link } = visit.texts.memberHome.actions[action];
  return html`<section class="panel next-action">
    <h2>${title}</h2>
    <p>${text}</p>
    <p class="buttons"><a class="button" href="${links[action]}">${link}</a></p>
  </section>`;
}

async function findNextAction({ call }: Visit): Promise<Action> {
  const [waiting, vectors, issued] = await Promise.all([
    call(matches.listMemberMatches, { status: 'org_interested', limit: 1 }),
    call(traits.listVectors, { limit: 1 }),
    call(credentials.listCredentials, { limit: 1 }),
  ]);
  if (waiting.data.length > 0) return 'answer';
  if (vectors.data[0]?.preliminary) return 'deepen';
  return issued.data.length === 0 ? 'credential' : 'matches';
}
