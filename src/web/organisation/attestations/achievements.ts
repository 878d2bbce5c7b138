import * as achievements from '#modules/credentials/achievements';
import type { OperationBody, OperationInput } from '#platform/operation.ts';
import { renderForm } from '../../parts/form.ts';
import { renderNextPage } from '../../parts/next-page.ts';
import { html, type Html } from '../../serving/html.ts';
import { goTo, readCursor, showHeaded, type Page, type Visit } from '../../serving/page.ts';
import { isAdmin } from '../admins-only.ts';

const page_achievements = 20;

type Achievement = OperationBody<typeof achievements.listAchievements>['data'][number];

/** What people can achieve at the organisation. An administrator defines and archives. */
export const achievementsPage: Page = {
  show: async (visit) => {
    const { achievements: texts, newAttestation, attestations } = visit.texts;
    const { data, pagination } = await visit.call(achievements.listAchievements, {
      limit: page_achievements,
      ...readCursor(visit),
    });
    const { next_cursor } = pagination;
    const content = html`${data.length === 0 && html`<p>${texts.empty}</p>`}
      <ul class="list stacked">
        ${data.map((each) => renderAchievement(visit, each))}
      </ul>
      ${renderNextPage('/app/achievements', {}, { next_cursor, label: attestations.older })}
      ${isAdmin(visit) && renderDefinition(visit)}`;
    return showHeaded(texts, content, { back: ['/app/attestations', newAttestation.back] });
  },
  actions: {
    send: async (visit, fields) => {
      await visit.call(achievements.createAchievement, readDefinition(fields));
      return goTo('/app/achievements', 'achievementDefined');
    },
    archive: async (visit, { achievement_id = '' }) => {
      await visit.call(achievements.updateAchievement, { achievement_id, archived: true });
      return goTo('/app/achievements', 'achievementArchived');
    },
  },
};

function renderAchievement(visit: Visit, achievement: Achievement): Html {
  const { achievements: texts } = visit.texts;
  const { id, name, description, criteria, image_url, is_offered, archived } = achievement;
  return html`<li>
    ${image_url !== null && html`<img class="badge-image" src="${new URL(image_url).pathname}" alt="" width="96" height="96" />`}
    <strong>${name}</strong>
    <span
      >${description} ${archived && html`<span class="tag plain">${texts.archived}</span>`}
      ${is_offered && html`<span class="quiet small">${texts.offered}</span>`}</span
    >
    <span class="quiet">${criteria}</span>
    ${
      isAdmin(visit) &&
      !archived &&
      renderForm(visit, {
        action: 'archive',
        button: texts.archive,
        button_label: texts.archiveLabel(name),
        look: 'quiet',
        hidden: { achievement_id: id },
      })
    }
  </li>`;
}

function renderDefinition(visit: Visit): Html {
  const { achievements: texts } = visit.texts;
  return html`<section class="after">
    <h2>${texts.define}</h2>
    ${renderForm(visit, {
      button: texts.button,
      fields: [
        { name: 'name', label: texts.name, maxlength: 100 },
        { name: 'description', label: texts.description, lines: 2, maxlength: 500 },
        { name: 'criteria', label: texts.criteria, hint: texts.criteriaHint, lines: 3, maxlength: 1000 },
        {
          name: 'image',
          label: texts.image,
          hint: texts.imageHint,
          type: 'file',
          accept: 'image/png,image/jpeg,image/webp',
          optional: true,
        },
        {
          name: 'framework',
          label: texts.framework,
          value: '',
          may_be_empty: true,
          options: Object.entries(texts.frameworks),
        },
        { name: 'code', label: texts.code, hint: texts.codeHint, maxlength: 120, optional: true },
        { name: 'code_name', label: texts.codeName, maxlength: 200, optional: true },
      ],
    })}
  </section>`;
}

/** The operation refuses what is wrong. A form of a file has it as base64. */
function readDefinition({
  name = '',
  description = '',
  criteria = '',
  image = '',
  framework = '',
  code = '',
  code_name = '',
}: Readonly<Record<string, string>>): OperationInput<typeof achievements.createAchievement> {
  const alignment = { framework: framework as 'esco', code: code.trim(), name: code_name.trim() };
  return {
    name: name.trim(),
    description: description.trim(),
    criteria: criteria.trim(),
    ...(image !== '' && { image }),
    ...(framework !== '' && { alignments: [alignment] }),
  };
}
