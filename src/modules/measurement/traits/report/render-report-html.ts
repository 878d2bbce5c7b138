import { escapeHtml } from '#lib/text/escape-html.ts';
import { formatUtcDate } from '#platform/format-utc-time.ts';
import {
  wordsOfReport,
  type ReportDocument,
  type ReportSection,
  type ReportTable,
} from './report-document.ts';

const style = `
:root { color-scheme: light dark; }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }
h1, h2 { line-height: 1.2; }
div.table { overflow-x: auto; }
table { border-collapse: collapse; margin: 1rem 0; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding-bottom: 0.3rem; }
th, td { text-align: left; padding: 0.2rem 0.8rem 0.2rem 0; border-bottom: 1px solid #8886; }
td, th + th { text-align: right; }
aside { border-left: 3px solid #b4532f; padding-left: 0.8rem; }
code { overflow-wrap: anywhere; }
`;

/** Renders a report as one HTML file that loads nothing. */
export function renderReportHtml({ title, version, created_at, sections }: ReportDocument): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
<p>Version <code>${escapeHtml(version)}</code>, ${escapeHtml(formatUtcDate(new Date(created_at)))}</p>
${sections.map(renderSection).join('\n')}
</main>
</body>
</html>
`;
}

function renderSection({ heading, sentences, tables, command, missing }: ReportSection): string {
  return [
    `<section>\n<h2>${escapeHtml(heading)}</h2>`,
    ...sentences.map((sentence) => `<p>${escapeHtml(sentence)}</p>`),
    ...tables.map(renderTable),
    ...(missing.length > 0
      ? [
          `<aside>${missing.map((each) => `<p><strong>${wordsOfReport.missing}:</strong> ${escapeHtml(each)}</p>`).join('')}</aside>`,
        ]
      : []),
    ...(command === null ? [] : [`<p>${wordsOfReport.made_by} <code>${escapeHtml(command)}</code></p>`]),
    '</section>',
  ].join('\n');
}

function renderTable({ caption, columns, rows }: ReportTable): string {
  const head = columns.map((name) => `<th scope="col">${escapeHtml(name)}</th>`).join('');
  const body = rows.map((row) => `<tr>${row.map(renderCell).join('')}</tr>`).join('\n');
  return `<div class="table" tabindex="0" role="region" aria-label="${escapeHtml(caption)}"><table>
<caption>${escapeHtml(caption)}</caption>
<thead><tr>${head}</tr></thead>
<tbody>
${body}
</tbody>
</table></div>`;
}

function renderCell(cell: string, place: number): string {
  return place === 0 ? `<th scope="row">${escapeHtml(cell)}</th>` : `<td>${escapeHtml(cell)}</td>`;
}
