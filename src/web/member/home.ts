import * as accounts from '#modules/access/accounts';
import * as consent from '#modules/people/consent';
import * as members from '#modules/people/members';
import * as credentials from '#modules/credentials/credentials';
import * as matches from '#modules/matching/matches';
import * as traits from '#modules/measurement/traits';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Content, type Html } from '../serving/html.ts';
import { goTo, sendForm, showView, type Action, type View, type Visit } from '../serving/page.ts';
import { renderForm } from '../parts/form.ts';
import { renderOwnConsent } from './consent/consent-example.ts';
import { countOpenOffers } from './credentials/offers.ts';
import { countOpenInvitations } from './invitations.ts';
import { buildProfileFields, readProfile, type Profile } from './profile.ts';

const deployed_level = 4;

/** The home of a member: the path to being matched, with one thing to do next. */
export async function showMemberHome(visit: Visit): Promise<View> {
  const { memberHome } = visit.texts;
  const [me, member, engagement, consents, offered, invited] = await Promise.all([
    visit.call(accounts.readMe),
    visit.call(members.readMember),
    visit.call(members.readEngagement),
    visit.call(consent.readConsent),
    countOpenOffers(visit),
    countOpenInvitations(visit),
  ]);
  const isMatchable = consents.consents.some((each) => each.consent_type === 'matching' && each.granted);
  const email: Step = {
    name: me.email === null ? 'emailMissing' : 'email',
    isDone: me.email_verified,
    render: () => (me.email === null ? renderAddEmail(visit) : renderResend(visit)),
  };
  const others: readonly Step[] = [
    {
      name: 'assessment',
      isDone: member.assessment_phase === 'complete',
      render: () => renderAssessmentLink(visit, member.assessment_phase === 'in_progress'),
    },
    { name: 'matching', isDone: isMatchable, render: () => renderMatchingConsent(visit) },
    {
      name: 'profile',
      isDone: isProfileFilled(member.profile),
      render: () => renderProfileForm(visit, member.profile),
    },
  ];
  // Without an address, everything else can begin.
  const steps = me.email === null ? [...others, email] : [email, ...others];
  const next = steps.findIndex(({ isDone }) => !isDone);
  const shown = await Promise.all(
    steps.map((step, index) => renderStep(visit, step, { index, isNext: index === next })),
  );
  const { engagement_level } = engagement;
  const content = html`<header class="head">
      <p><span class="tag">${memberHome.level(engagement_level)}</span></p>
      <h1>
        ${member.display_name === members.unnamedMember ? memberHome.welcomeUnnamed : memberHome.welcome(member.display_name)}
      </h1>
      <p class="lead">${memberHome.levels[engagement_level as 1 | 2 | 3 | 4]}</p>
    </header>
    ${invited > 0 && renderWaiting(visit.texts.ownInvitations, '/app/invitations', invited)}
    ${offered > 0 && renderWaiting(visit.texts.offers, '/app/credentials', offered)}
    ${next === -1 && engagement_level === deployed_level && (await renderNextAction(visit, consents))}
    <h2 class="${next !== -1 && 'hidden'}">${memberHome.path}</h2>
    <ol class="path">
      ${shown}
    </ol>`;
  return showView({ title: memberHome.title, layout: 'app', content });
}

type WaitingTexts = Pick<Visit['texts']['offers'], 'homeTitle' | 'homeText' | 'homeLink'>;

/** What waits for an answer, before all other steps. */
function renderWaiting(texts: WaitingTexts, link: string, count: number): Html {
  return html`<section class="panel next-action">
    <h2>${texts.homeTitle(count)}</h2>
    <p>${texts.homeText}</p>
    <p class="buttons"><a class="button" href="${link}">${texts.homeLink}</a></p>
  </section>`;
}

export const memberHomeActions = {
  resend: sendForm(accounts.resendVerification, '/app', 'verificationSent'),
  agree: async ({ call }, { version = '' }) => {
    // The operation refuses a version that is not published.
    const record = { consent_type: 'matching', granted: true, version: version as '1.0' } as const;
    await call(consent.recordConsent, record);
    return goTo('/app', 'consentGiven');
  },
  profile: async (visit, fields) => {
    await visit.call(members.updateProfile, readProfile(visit, fields));
    return goTo('/app', 'profileSaved');
  },
} as const satisfies Readonly<Record<string, Action>>;

type Step = {
  readonly name: keyof Visit['texts']['memberHome']['steps'];
  readonly isDone: boolean;
  readonly render: () => Content | Promise<Content>;
};

async function renderStep(
  { texts: { memberHome } }: Visit,
  { name, isDone, render }: Step,
  { index, isNext }: { readonly index: number; readonly isNext: boolean },
): Promise<Html> {
  const { title, text } = memberHome.steps[name];
  const state = isDone ? 'done' : isNext ? 'next' : 'later';
  return html`<li class="${state}">
    <span class="sign" aria-hidden="true">${isDone ? '✓' : index + 1}</span>
    <h3>${title} <span class="hidden">(${memberHome[state]})</span></h3>
    ${
      isNext &&
      html`<div class="panel">
        <p>${text}</p>
        ${await render()}
      </div>`
    }
  </li>`;
}

function renderAddEmail({ texts: { memberHome } }: Visit): Html {
  return html`<p class="buttons">
    <a class="button" href="/app/account/email">${memberHome.steps.emailMissing.button}</a>
  </p>`;
}

function renderResend(visit: Visit): Html {
  const { button } = visit.texts.memberHome.steps.email;
  return renderForm(visit, { action: 'resend', button, look: 'quiet' });
}

function renderAssessmentLink({ texts: { memberHome } }: Visit, isStarted: boolean): Html {
  const { begin, resume } = memberHome.steps.assessment;
  return html`<p class="buttons">
    <a class="button" href="/app/assessment">${isStarted ? resume : begin}</a>
  </p>`;
}

async function renderMatchingConsent(visit: Visit): Promise<Html> {
  const { version, content, full } = await renderOwnConsent(visit, 'matching');
  const { button } = visit.texts.memberHome.steps.matching;
  return html`${content} ${renderForm(visit, { action: 'agree', button, hidden: { version } })} ${full}`;
}

function renderProfileForm(visit: Visit, profile: Profile): Html {
  const { button } = visit.texts.memberHome.steps.profile;
  return renderForm(visit, { action: 'profile', button, fields: buildProfileFields(visit, profile) });
}

function isProfileFilled({ location_state: _optional, ...profile }: Profile): boolean {
  return Object.values(profile).every((value) => value !== null);
}

type Consents = OperationBody<typeof consent.readConsent>;

type NextAction = keyof Visit['texts']['memberHome']['actions'];

const links: Readonly<Record<NextAction, string>> = {
  answer: '/app/matches',
  renew: '/app/consent/matching',
  deepen: '/app/assessment?more=true',
  credential: '/app/credentials/new',
  matches: '/app/matches',
};

/** The one thing to do next for a member whose path is complete: what others wait for comes first. */
async function renderNextAction(visit: Visit, consents: Consents): Promise<Html> {
  const action = await findNextAction(visit, consents);
  const { title, text, link } = visit.texts.memberHome.actions[action];
  return html`<section class="panel next-action">
    <h2>${title}</h2>
    <p>${text}</p>
    <p class="buttons"><a class="button" href="${links[action]}">${link}</a></p>
  </section>`;
}

async function findNextAction({ call }: Visit, { consents }: Consents): Promise<NextAction> {
  const [waiting, vectors, issued] = await Promise.all([
    call(matches.listMemberMatches, { status: 'org_interested', limit: 1 }),
    call(traits.listVectors, { limit: 1 }),
    call(credentials.listCredentials, { limit: 1 }),
  ]);
  if (waiting.data.length > 0) return 'answer';
  if (consents.some(({ consent_type, is_outdated }) => consent_type === 'matching' && is_outdated))
    return 'renew';
  if (vectors.data[0]?.preliminary) return 'deepen';
  return issued.data.length === 0 ? 'credential' : 'matches';
}
