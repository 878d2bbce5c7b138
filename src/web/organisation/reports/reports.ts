import { html, type Html } from '../../serving/html.ts';
import { showView, type Page, type Visit } from '../../serving/page.ts';
import { renderBiasReport } from './bias-report.ts';

/** The files of an organisation, and its bias report for those who may read it. */
export const reportsPage: Page = {
  show: async (visit) => {
    const { reports: texts } = visit.texts;
    const content = html`<p class="back"><a href="/app/organisation">${texts.back}</a></p>
      <header class="head">
        <h1>${texts.title}</h1>
        <p class="lead">${texts.lead}</p>
      </header>
      ${renderMatchFiles(visit)} ${visit.caller.role !== 'org_viewer' && (await renderBiasReport(visit))}`;
    return showView({ title: texts.title, layout: 'app', content });
  },
};

function renderMatchFiles({ texts: { reports: texts } }: Visit): Html {
  return html`<section class="report" aria-labelledby="matches">
    <h2 id="matches">${texts.matches}</h2>
    <p>${texts.matchesLead}</p>
    <p class="buttons">
      <a class="button quiet" href="/app/reports/matches?format=xlsx" download>${texts.xlsx}</a>
      <a class="button quiet" href="/app/reports/matches?format=csv" download>${texts.csv}</a>
    </p>
  </section>`;
}
