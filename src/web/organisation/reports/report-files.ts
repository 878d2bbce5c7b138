import * as exports from '#modules/operations/exports';
import { findConfirmation } from '../../account/require-recent.ts';
import { Refusal } from '#lib/refusal.ts';
import { goTo, type Page, type Visit } from '../../serving/page.ts';

/** All matches of the organisation as a file, which is sent while it is read. */
export const matchesFilePage: Page = {
  show: async (visit) => {
    const detour = findConfirmation(visit, '/app/reports');
    if (detour) return detour;
    const format = visit.query['format'] === 'csv' ? 'csv' : 'xlsx';
    const file = await visit.call(exports.exportMatches, {
      org_id: getOrganisation(visit),
      format,
      include_developing: false,
    });
    const { filename, media_type, chunks } = file;
    return { kind: 'download', file: { filename, content: chunks }, media_type };
  },
};

/** A published bias report of a year as a file. */
export const biasFilePage: Page = {
  show: async (visit) => {
    const { query } = visit;
    const year = query['year'];
    const report = await visit.call(exports.exportBiasReport, {
      org_id: getOrganisation(visit),
      format: query['format'] === 'csv' ? 'csv' : 'pdf',
      publish: false,
      ...(year !== undefined && /^2\d{3}$/.test(year) && { year: Number(year) }),
      ...readNumber(visit),
    });
    if ('comparisons' in report) throw new Error('the bias report is not a file');
    return { kind: 'download', file: report, media_type: report.media_type };
  },
};

/** Reads which report of the year is asked for; the last one if none is named. */
export function readNumber({ query }: Pick<Visit, 'query'>): { readonly number?: number } {
  const asked = query['number'] ?? '';
  return /^[1-9]\d{0,3}$/.test(asked) ? { number: Number(asked) } : {};
}

/** The report of a match as a PDF. While its explanation is being written, the page of the match says so. */
export const matchFilePage: Page = {
  show: async (visit) => {
    const { job_id = '', match_id = '' } = visit.params;
    const file = await visit.call(exports.exportMatchReport, { match_id });
    if ('task_id' in file) return goTo(`/app/jobs/${job_id}?match=${match_id}`);
    return { kind: 'download', file, media_type: 'application/pdf' };
  },
};

export function getOrganisation({ caller }: Visit): string {
  if (!('org_id' in caller)) throw new Refusal('role_not_allowed');
  return caller.org_id;
}
