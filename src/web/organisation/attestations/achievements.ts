import * as achievements from '#modules/credentials/achievements';
import { renderDisclosure } from '../../parts/disclosure.ts';
import { renderForm } from '../../parts/form.ts';
import { renderNextPage } from '../../parts/next-page.ts';
import { html, type Html } from '../../serving/html.ts';
import { goTo, readCursor, showHeaded, type Page, type Visit } from '../../serving/page.ts';
import { isAdmin } from '../admins-only.ts';
import { listAchievementFields, readAchievement, type Achievement } from './achievement-form.ts';

const page_achievements = 20;

/** What people can achieve at the organisation. An administrator defines, changes and archives. */
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
      await visit.call(achievements.createAchievement, readAchievement(fields));
      return goTo('/app/achievements', 'achievementDefined');
    },
    change: async (visit, { achievement_id = '', no_image, ...fields }) => {
      await visit.call(achievements.updateAchievement, {
        achievement_id,
        ...(no_image === 'true' && { image: null }),
        ...readAchievement(fields),
      });
      return goTo('/app/achievements', 'achievementChanged');
    },
    archive: async (visit, { achievement_id = '' }) => {
      await visit.call(achievements.updateAchievement, { achievement_id, archived: true });
      return goTo('/app/achievements', 'achievementArchived');
    },
  },
};

function renderAchievement(visit: Visit, achievement: Achievement): Html {
  const { achievements: texts } = visit.texts;
  const { name, description, criteria, image_url, is_offered, archived } = achievement;
  return html`<li>
    ${image_url !== null && html`<img class="badge-image" src="${new URL(image_url).pathname}" alt="" width="96" height="96" />`}
    <strong>${name}</strong>
    <span
      >${description} ${archived && html`<span class="tag plain">${texts.archived}</span>`}
      ${is_offered && html`<span class="quiet small">${texts.offered}</span>`}</span
    >
    <span class="quiet">${criteria}</span>
    ${isAdmin(visit) && !archived && renderActs(visit, achievement)}
  </li>`;
}

/** What was offered can only be archived: a credential keeps its words and its picture. */
function renderActs(visit: Visit, achievement: Achievement): Html {
  const { achievements: texts } = visit.texts;
  const { id: achievement_id, name, is_offered } = achievement;
  const { action, values } = visit.form;
  const change = renderForm(visit, {
    action: 'change',
    button: texts.changeButton,
    hidden: { achievement_id },
    fields: listAchievementFields(visit.texts, achievement),
  });
  return html`${!is_offered && renderDisclosure(texts.change, change, action === 'change' && values['achievement_id'] === achievement_id)}
  ${renderForm(visit, {
    action: 'archive',
    button: texts.archive,
    button_label: texts.archiveLabel(name),
    look: 'quiet',
    hidden: { achievement_id },
  })}`;
}

function renderDefinition(visit: Visit): Html {
  const { achievements: texts } = visit.texts;
  return html`<section class="after">
    <h2>${texts.define}</h2>
    ${renderForm(visit, { button: texts.button, fields: listAchievementFields(visit.texts) })}
  </section>`;
}
