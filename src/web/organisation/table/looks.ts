import { renderSwitch } from '../../parts/switch.ts';
import type { Html } from '../../serving/html.ts';
import type { Visit } from '../../serving/page.ts';

/** Renders links between the two ways to look at the people of a job. Auditors have no table: it has notes. */
export function renderLooks(
  { texts, caller }: Visit,
  job_id: string,
  look: 'list' | 'table',
): Html | undefined {
  const { table } = texts;
  if (caller.role === 'auditor') return undefined;
  return renderSwitch(table.look, [
    [`/app/jobs/${job_id}`, table.oneByOne, look === 'list'],
    [`/app/jobs/${job_id}/table`, table.asTable, look === 'table'],
  ]);
}
