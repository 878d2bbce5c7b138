import * as reads from '#modules/income/reads';
import * as traits from '#modules/measurement/traits';
import { renderMirrorAnswers, renderMirrorLanguages, renderPrivacy } from './first-mirror.ts';
import { html, type Html } from '../serving/html.ts';
import { goTo, showView, type Page, type Visit } from '../serving/page.ts';
import { renderToken } from '../parts/mark.ts';
import { readUnlessRefused } from '../parts/read-unless-refused.ts';

/** The first page: what this service is, and the first statement of a mirror. */
export const landingPage: Page = {
  show: async (visit) => {
    if (visit.caller.role !== 'anonymous') return goTo('/app');
    const { landing } = visit.texts;
    const { member_share_percent } = await visit.call(reads.readPrices);
    const paid = landing.paid(visit.format.formatNumber(member_share_percent));
    const steps = [...landing.steps, { title: landing.paidTitle, text: paid }];
    const content = html`<div class="hero">
        <div>
          <h1>${landing.headline}</h1>
          <p class="lead">${landing.lead}</p>
          ${await renderStatement(visit)}
          <p class="buttons">
            <a class="button quiet" href="/register">${landing.join}</a>
          </p>
        </div>
        ${renderToken()}
      </div>
      <h2 class="hidden">${landing.stepsTitle}</h2>
      <ol class="steps">
        ${steps.map(
          ({ title, text }) =>
            html`<li>
              <h3>${title}</h3>
              <p>${text}</p>
            </li>`,
        )}
      </ol>
      <p class="organisations quiet">
        ${landing.organisations} <a href="/register?for=organisation">${landing.organisationsLink}</a>.
      </p>
      <p class="quiet">${landing.others} <a href="/transparency">${landing.othersLink}</a>.</p>`;
    return showView({ title: landing.title, layout: 'open', content });
  },
};

/** The answers lead to the pages of the mirror. */
async function renderStatement(visit: Visit): Promise<Html | undefined> {
  // The page is there even while the database is not.
  const mirror = await readUnlessRefused(['database_unavailable', 'overloaded'], () =>
    visit.call(traits.continueMirror, visit.language === undefined ? {} : { language: visit.language }),
  );
  if (!mirror?.next_item) return undefined;
  return html`<section class="try" aria-labelledby="try">
    <p class="quiet small">${visit.texts.landing.tryTitle}</p>
    <h2 id="try" lang="${mirror.language}" dir="auto">${mirror.next_item.text}</h2>
    ${renderMirrorAnswers(visit, mirror, mirror.next_item)} ${renderMirrorLanguages(visit, mirror)}
    ${renderPrivacy(visit)}
  </section>`;
}
