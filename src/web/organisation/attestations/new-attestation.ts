import * as achievements from '#modules/credentials/achievements';
import * as offers from '#modules/credentials/offers';
import { Refusal } from '#lib/refusal.ts';
import { renderForm } from '../../parts/form.ts';
import { html } from '../../serving/html.ts';
import { goTo, showNarrow, type Page, type Visit } from '../../serving/page.ts';
import { isAdmin, showAdminsOnly } from '../admins-only.ts';
import { renderUnverified } from '../unverified.ts';
import { listAgreedPeople } from './agreed-people.ts';

const achievements_max = 100;

/** Attests one person: the recorded placement, a statement, or an achievement. */
export const newAttestationPage: Page = {
  show: async (visit) => {
    const { newAttestation: texts } = visit.texts;
    if (!isAdmin(visit)) return showAdminsOnly(visit, texts.title);
    const content = (await renderUnverified(visit)) ?? (await renderAttesting(visit));
    return showNarrow(texts, content, { back: ['/app/attestations', texts.back] });
  },
  actions: {
    send: async (visit, { match_id = '', what = '', statement = '' }) => {
      const claims = statement.trim() === '' ? {} : { claims: { statement: statement.trim() } };
      await explainDomain(visit, () =>
        visit.call(offers.offerCredential, {
          match_id,
          ...(what === 'placement'
            ? { credential_type: 'placement_attestation' }
            : { credential_type: 'org_validation', ...claims }),
          ...(what !== 'placement' && what !== 'statement' && { achievement_id: what }),
        }),
      );
      return goTo('/app/attestations', 'attestationOffered');
    },
  },
};

async function renderAttesting(visit: Visit) {
  const { newAttestation: texts, forms } = visit.texts;
  const [people, defined] = await Promise.all([
    listAgreedPeople(visit),
    visit.call(achievements.listAchievements, { limit: achievements_max }),
  ]);
  if (people.length === 0) return html`<p>${texts.nobody}</p>`;
  const { match_id } = visit.query;
  const { match: chosen } = people.find(({ match }) => match.id === match_id) ?? people[0]!;
  const kinds = [
    ['placement', texts.placement],
    ['statement', texts.statement],
    ...defined.data.filter(({ archived }) => !archived).map(({ id, name }) => [id, name] as const),
  ] as const;
  return renderForm(visit, {
    button: texts.button,
    fields: [
      {
        name: 'match_id',
        label: texts.person,
        hint: texts.personHint,
        value: chosen.id,
        options: people.map(({ match, name }) => [match.id, name] as const),
      },
      {
        name: 'what',
        label: texts.what,
        look: 'radio',
        value: chosen.match_status === 'placed' ? 'placement' : 'statement',
        options: kinds,
      },
      {
        name: 'statement',
        label: texts.words,
        hint: texts.wordsHint,
        lines: 3,
        maxlength: 500,
        optional: true,
      },
    ],
    after: html`<a href="/app/attestations">${forms.cancel}</a>`,
  });
}

/** Says what an organisation without a proven domain can do. */
export async function explainDomain<Result>({ texts }: Visit, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'proven_domain_required') throw error;
    const { noDomain, noDomainNext } = texts.newAttestation;
    throw new Refusal(error.code, { detail: `${noDomain} ${noDomainNext}` });
  }
}
