import * as matching from '#modules/matching/matches';
import { html, type Html } from '../../serving/html.ts';
import { goTo, type Action, type Visit } from '../../serving/page.ts';
import { identifyVersion, renderForm } from '../../parts/form.ts';
import { isAdmin } from '../admins-only.ts';
import { buildAddress, readSelection } from './selection.ts';
import type { Match } from './match.ts';

const note_characters_max = 1000;

/** Renders what the organisation has noted about a person for itself. Auditors do not read it, and a withdrawn person has none. */
export async function renderPrivateNote(
  visit: Visit,
  { id: match_id, match_status }: Match,
): Promise<Html | undefined> {
  if (visit.caller.role === 'auditor' || match_status === 'withdrawn') return undefined;
  const { privateNote: texts } = visit.texts;
  const noted = await visit.call(matching.readPrivateNote, { match_id });
  const { note, labels } = noted;
  const isEmpty = note === null && labels.length === 0;
  if (!isAdmin(visit))
    return isEmpty
      ? undefined
      : html`<h3>${texts.title}</h3>
          <p>${labels.map((label) => html`<span class="tag">${label}</span> `)}</p>
          ${note !== null && html`<p class="terms">${note}</p>`}`;
  return html`<details class="quiet" ${(!isEmpty || visit.form.action === 'note') && 'open'}>
    <summary>${texts.title}</summary>
    <p class="quiet small">${texts.lead}</p>
    ${renderForm(visit, {
      action: 'note',
      button: texts.save,
      look: 'quiet',
      hidden: { match_id },
      seen: identifyVersion(noted),
      fields: [
        {
          name: 'note',
          label: texts.note,
          lines: 3,
          maxlength: note_characters_max,
          value: note,
          optional: true,
        },
        {
          name: 'labels',
          label: texts.labels,
          hint: texts.labelsHint,
          value: labels.join(', '),
          optional: true,
        },
      ],
    })}
  </details>`;
}

/** The action of {@link renderPrivateNote}. */
export const privateNoteActions: Readonly<Record<string, Action>> = {
  note: async (visit, { match_id = '', note = '', labels = '' }) => {
    const words = labels.split(',').map((label) => label.trim());
    await visit.call(matching.setPrivateNote, {
      match_id,
      ...(note.trim() !== '' && { note: note.trim() }),
      labels: [...new Set(words.filter((label) => label !== ''))],
    });
    return goTo(buildAddress({ ...readSelection(visit), match: match_id }), 'noteSaved');
  },
};
