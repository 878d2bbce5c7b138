import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { listStatusChanges, recordCallerAudit } from '#modules/operations/audit';
import { findJobOfVersion } from '#modules/matching/jobs';
import {
  buildMatchView,
  checkVerifiedAdmin,
  explainToCaller,
  explanationTaskWire,
  findMatch,
  type Match,
} from '#modules/matching/matches';
import { findOrganisation } from '#modules/organisations/orgs';
import { file, operation, reply, type Context } from '#platform/operation.ts';
import { locateRenderer } from '@tessera/pdf/render-pdf';
import { renderPdf } from '#platform/pdf/render-pdf.ts';
import { uuid } from '#platform/schema.ts';
import { limitRendering } from '#platform/limits/limit-exports.ts';
import { buildMatchReport } from './build-match-report.ts';
import type { renderMatchReport as Render } from './render-match-report.ts';

export const exportMatchReport = operation({
  name: 'exports.exportMatchReport',
  title: 'Export the report of a match',
  summary:
    'Downloads a match of the caller’s organisation as a tagged PDF: tier, explanation, belonging, job and timeline in words, without a number about the member. While the explanation is being generated, the status is 202: repeat the request, or follow `GET /tasks/{task_id}`.',
  who: ['org_admin'],
  input: Type.Object({ match_id: uuid }),
  output: { 200: file('application/pdf'), 202: explanationTaskWire },
  location: ({ task_id }) => `/tasks/${task_id}`,
  refuses: ['match_not_found', 'email_not_verified', 'too_many_exports'],
  samples: { reply: '%PDF-1.7 …' },
  writes_on_read:
    'The audit log says who has exported the report, and the task that writes the explanation is started.',
  run: async (context, { match_id }) => {
    const { caller, database } = context;
    const [match] = await Promise.all([findMatch(database, match_id), checkVerifiedAdmin(context)]);
    if (!match || match.org_id !== caller.org_id) throw new Refusal('match_not_found');
    return limitRendering(context, () => renderReport(context, match));
  },
});

async function renderReport(context: Context, match: Match) {
  const { database, now, transaction } = context;
  const explained = await explainUnlessWithdrawn(context, match.id);
  if (explained?.status === 202) return reply(202, explained.body);
  const [view, job, organisation, changes] = await Promise.all([
    buildMatchView(context, database, match),
    findJobOfVersion(database, match),
    findOrganisation(database, match.org_id),
    listStatusChanges(database, match.org_id, match.id),
  ]);
  if (!job || !organisation) throw new Refusal('match_not_found');
  const parts = buildMatchReport({
    match: view,
    is_alias: view.member_id !== match.member_id,
    job,
    org_name: organisation.name,
    explanation: explained?.body,
    changes: changes.map(({ detail, created_at }) => ({ to: String(detail['to']), on: created_at })),
  });
  const origin = { org_name: organisation.name, created_at: now() };
  const content = await renderPdf(context, renderMatchReport, parts, origin);
  return transaction(async (tx) => {
    await recordCallerAudit(context, tx, {
      action: 'exports.match_report_exported',
      org_id: match.org_id,
      detail: { match_id: match.id },
    });
    return reply(200, { filename: `tessera-match-${match.id}.pdf`, content });
  });
}

const renderMatchReport = locateRenderer<typeof Render>(
  new URL('./render-match-report.ts', import.meta.url),
  'renderMatchReport',
);

/** Explains the match. Undefined if the member has withdrawn: the report then says so. */
async function explainUnlessWithdrawn(context: Context, match_id: string) {
  try {
    return await explainToCaller(context, match_id);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'consent_required') return undefined;
    throw error;
  }
}
