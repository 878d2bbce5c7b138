import * as matches from '#modules/matching/matches';
import { renderExplainedPerson } from '../parts/explained-person.ts';
import { html } from '../serving/html.ts';
import { showHeaded, type Page } from '../serving/page.ts';

/** A shortlist of fictional people, for an organisation that sees nobody yet. Each of them is marked as an example. */
export const examplePage: Page = {
  show: async (visit) => {
    const { exampleShortlist: example, frame, matches: words, traits } = visit.texts;
    const { people, asked_for } = await visit.call(matches.readExample);
    const content = html`<p class="message" role="note">${example.note}</p>
      <p>
        ${example.asksFor(visit.format.formatList(asked_for.map((code) => traits.names[code].toLowerCase())))}
      </p>
      ${people.map(
        (person, index) =>
          html`<section class="panel" aria-labelledby="example-${index}">
            <h2 id="example-${index}">${person.name}</h2>
            <p>
              <span class="tag clay">${example.tag}</span>
              <span class="tag">${words.tiers[person.match_tier]}</span>
            </p>
            ${renderExplainedPerson(visit.texts, person)}
          </section>`,
      )}`;
    return showHeaded({ title: example.title, lead: example.lead }, content, { back: ['/app', frame.home] });
  },
};
