import type * as consent from '#modules/people/consent';
import * as matches from '#modules/matching/matches';
import * as reads from '#modules/income/reads';
import type { OperationBody } from '#platform/operation.ts';
import { renderExplainedPerson } from '../../parts/explained-person.ts';
import { renderFacts } from '../../parts/facts.ts';
import { renderLayeredConsent } from '../../parts/consents/layered-consent.ts';
import { listReadFacts } from '../../parts/read-facts.ts';
import { readUnlessRefused } from '../../parts/read-unless-refused.ts';
import { renderTicks } from '../../parts/disclosure.ts';
import { html, type Html } from '../../serving/html.ts';
import type { Visit } from '../../serving/page.ts';

/** Renders a consent in layers, with an example of what the other side would see of this member. Before the first result there is no example. */
export async function renderOwnConsent(visit: Visit, consent_type: consent.ConsentType) {
  return renderLayeredConsent(visit, consent_type, await renderExample(visit, consent_type));
}

const nothingYet = ['trait_vector_not_found', 'nothing_to_read'] as const;

async function renderExample(visit: Visit, consent_type: consent.ConsentType): Promise<Html | undefined> {
  if (consent_type === 'matching') {
    const explained = await readUnlessRefused(nothingYet, () => visit.call(matches.previewExplanation));
    return explained && renderExplained(visit, explained);
  }
  if (consent_type !== 'identity_queries') return undefined;
  const read = await readUnlessRefused(nothingYet, () => visit.call(reads.previewRead));
  return read && html`${renderFacts(await listReadFacts(visit, read))}`;
}

type Explained = OperationBody<typeof matches.previewExplanation>;

/** Renders what an organisation reads: first what tells people apart, and everything else folded, so that the decision stays in sight on a phone. */
function renderExplained({ texts }: Visit, explained: Explained): Html {
  return html`${renderTicks((explained.standings ?? []).map(({ reason }) => reason))}
    <details class="small">
      <summary>${texts.consent.layers.everything}</summary>
      ${renderExplainedPerson(texts, explained)}
    </details>`;
}
