import * as matching from '#modules/matching/matches';
import * as exports from '#modules/operations/exports';
import { readUnlessRefused } from '../../parts/read-unless-refused.ts';
import { html, type Html } from '../../serving/html.ts';
import { goTo, showHeaded, type Page, type Visit } from '../../serving/page.ts';
import { renderVerification } from '../unverified.ts';
import { renderBiasReport } from './bias-report.ts';
import { getOrganisation } from './report-files.ts';

/** The files of an organisation, and its bias report for those who may read it. */
export const reportsPage: Page = {
  show: async (visit) => {
    const { reports: texts } = visit.texts;
    return showHeaded(texts, await renderReports(visit), { back: ['/app/organisation', texts.back] });
  },
  actions: {
    publish: async (visit, { year = '' }) => {
      await visit.call(exports.exportBiasReport, {
        org_id: getOrganisation(visit),
        format: 'json',
        year: Number(year),
        publish: true,
      });
      return goTo(`/app/reports?year=${Number(year)}`);
    },
  },
};

/** Until an administrator has verified the address, there is nothing to download. */
async function renderReports(visit: Visit): Promise<Html> {
  const matches = await readUnlessRefused(['email_not_verified'], () =>
    visit.call(matching.listOrganisationMatches, { limit: 1 }),
  );
  if (!matches) return renderVerification(visit);
  return html`${renderMatchFiles(visit)} ${await renderBiasReport(visit)}`;
}

function renderMatchFiles({ texts: { reports: texts } }: Visit): Html {
  return html`<section class="report" aria-labelledby="matches">
    <h2 id="matches">${texts.matches}</h2>
    <p>${texts.matchesLead}</p>
    <p class="buttons">
      <a class="button quiet" href="/app/reports/matches?format=xlsx">${texts.xlsx}</a>
      <a class="button quiet" href="/app/reports/matches?format=csv">${texts.csv}</a>
    </p>
  </section>`;
}
