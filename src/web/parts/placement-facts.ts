import * as placements from '#modules/matching/placements';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Html } from '../serving/html.ts';
import type { Visit } from '../serving/page.ts';
import { renderFacts } from './facts.ts';

export type Outcome = OperationBody<typeof placements.listOutcomes>['data'][number];

/** Reads what is true of a match now; undefined if nothing has been recorded. */
export async function readLastOutcome({ call }: Visit, match_id: string): Promise<Outcome | undefined> {
  const { data } = await call(placements.listOutcomes, { match_id });
  return data.at(-1);
}

/** Renders when a placement began and ends, and the reason that was given last. */
export async function renderPlacementFacts(
  visit: Visit,
  match_id: string,
  side: 'member' | 'organisation',
): Promise<Html | undefined> {
  const { format, texts } = visit;
  const last = await readLastOutcome(visit, match_id);
  if (!last || (last.placed_at === null && last.reason === null)) return undefined;
  const { outcome, placed_at, ended_at, reason } = last;
  const { placement } = texts;
  return html`<section class="${side === 'member' && 'panel'}">
    ${side === 'member' ? html`<h2>${placement.current}</h2>` : html`<h3>${placement.current}</h3>`}
    ${renderFacts([
      [placement.since, placed_at && format.formatDate(placed_at)],
      [outcome === 'left' ? placement.ended : placement.until, ended_at && format.formatDate(ended_at)],
      [placement.reason, reason],
    ])}
  </section>`;
}
