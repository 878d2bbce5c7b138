import { findForm, unescapeHtml, type SeenPage } from './visitor.ts';

/** The fields of the job's form that a browser would send: those of the page, with some replaced. */
export function fillJobForm(
  page: SeenPage,
  changes: Readonly<Record<string, string>>,
): Record<string, string> {
  const { content } = findForm(page, 'send');
  const fields: Record<string, string> = {};
  for (const [input] of content.matchAll(/<input\b[^>]*>/g)) {
    const name = /\bname="([^"]*)"/.exec(input)?.[1];
    const isLeftOut = /type="(?:radio|checkbox)"/.test(input) && !/\bchecked\b/.test(input);
    if (name !== undefined && !isLeftOut)
      fields[name] = unescapeHtml(/\bvalue="([^"]*)"/.exec(input)?.[1] ?? '');
  }
  for (const [, name = '', text = ''] of content.matchAll(
    /<textarea\b[^>]*\bname="([^"]*)"[^>]*>\n?([^<]*)</g,
  ))
    fields[name] = unescapeHtml(text);
  for (const [, name = '', options = ''] of content.matchAll(
    /<select\b[^>]*\bname="([^"]*)"[^>]*>([\s\S]*?)<\/select>/g,
  ))
    fields[name] = /value="([^"]*)"\s+selected/.exec(options)?.[1] ?? '';
  return { ...fields, ...changes };
}
