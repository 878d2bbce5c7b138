import type { Caller } from '#lib/caller.ts';
import { renderSwitch } from '../parts/switch.ts';
import { html, type Html } from '../serving/html.ts';
import type { Texts } from '../texts/english.ts';
import type { Visit } from '../serving/page.ts';

/** What the navigation needs of a visit. */
type Visitor = Pick<Visit, 'caller' | 'texts' | 'address'>;

type Link = readonly [link: string, label: string];

/** One entry of the navigation: the pages behind it. It leads to the first of them. */
type Section = { readonly label: string; readonly pages: readonly Link[] };

/** Renders the navigation of the pages that explain the service, which need no account. */
export function renderOpenNavigation({ caller, texts, address }: Visitor): Html {
  const { frame } = texts;
  const path = address.split('?', 1)[0]!;
  const links: readonly Link[] = [
    ['/how-it-works', frame.howItWorks],
    ['/for-employers', frame.forEmployers],
    ['/prices', frame.prices],
    caller.role === 'anonymous' ? ['/sign-in', frame.logIn] : ['/app', frame.home],
  ];
  return html`<nav aria-label="${frame.navigation}">
    <ul>
      ${links.map(
        ([link, label]) =>
          html`<li><a href="${link}" ${link === path && html`aria-current="page"`}>${label}</a></li>`,
      )}
    </ul>
  </nav>`;
}

/** How much waits for the visitor, by the entry of the navigation that leads to it. */
export type Waiting = Readonly<Record<string, number>>;

/** Renders the navigation of the caller's role: at most five entries, and below them the pages of the one that is shown. */
export function renderNavigation(visit: Visitor, waiting: Waiting): Html {
  const { caller, texts, address } = visit;
  const path = address.split('?', 1)[0]!;
  const sections = listSections(caller, texts);
  const current = sections.find(({ pages }) => pages.some(([link]) => isHere(link, path)));
  return html`<nav aria-label="${texts.frame.navigation}">
      <ul>
        ${sections.map((section) => renderEntry(visit, section, { is_current: section === current, waiting }))}
      </ul>
    </nav>
    ${
      current !== undefined &&
      current.pages.length > 1 &&
      renderSwitch(
        current.label,
        current.pages.map(([link, label]) => [link, label, isHere(link, path)] as const),
      )
    }`;
}

function renderEntry(
  { texts }: Visitor,
  { label, pages }: Section,
  { is_current, waiting }: { readonly is_current: boolean; readonly waiting: Waiting },
): Html {
  const [link] = pages[0]!;
  const count = waiting[link] ?? 0;
  // The page below the entry may be another of its section, so it is the section that is current, not the page.
  return html`<li>
    <a href="${link}" ${is_current && html`aria-current="${pages.length > 1 ? 'true' : 'page'}"`}
      >${label}${count > 0 && html`<span class="count" aria-hidden="true">${count > 9 ? '9+' : count}</span><span class="hidden">, ${link === '/app/traits' ? texts.frame.unfinished : texts.frame.waiting(count)}</span>`}</a
    >
  </li>`;
}

/** The first pages, whose addresses are the beginnings of others. */
const homes: ReadonlySet<string> = new Set(['/app', '/app/operator']);

/** Pages that belong to one of the navigation, and that it links to. */
const siblings: Readonly<Record<string, readonly string[]>> = {
  '/app/traits': ['/app/archetype', '/app/assessment'],
  '/app/matches': ['/app/invitations', '/app/preferences', '/app/rights'],
  '/app/account': ['/app/agents'],
  '/app/consent': ['/app/self-identification'],
  '/app/keys': ['/app/partners'],
  '/app/organisation': [
    '/app/sso',
    '/app/directory',
    '/app/audit',
    '/app/reports',
    '/app/reviews',
    '/app/attestations',
    '/app/achievements',
  ],
};

function isHere(link: string, path: string): boolean {
  if (homes.has(link)) return path === link;
  return [link, ...(siblings[link] ?? [])].some((each) => path === each || path.startsWith(`${each}/`));
}

/** The entries of each role, in order. */
function listSections(caller: Caller, texts: Texts): readonly Section[] {
  const { frame } = texts;
  const toPage = (link: string, label: string): Section => ({ label, pages: [[link, label]] });
  const account = toPage('/app/account', frame.account);
  if (caller.role === 'platform_admin')
    return [toPage('/app/operator', frame.home), ...listOperatorSections(texts), account];
  const home = toPage('/app', frame.home);
  if (caller.role === 'member')
    return [
      home,
      toPage('/app/traits', frame.you),
      toPage('/app/matches', frame.matches),
      {
        label: frame.sharing,
        pages: [
          ['/app/credentials', frame.credentials],
          ['/app/consent', frame.consent],
          ['/app/income', frame.income],
        ],
      },
      account,
    ];
  return [
    home,
    toPage('/app/jobs', frame.jobs),
    toPage('/app/reads', frame.reads),
    { label: frame.organisation, pages: listOrganisationPages(caller, texts) },
    account,
  ];
}

function listOrganisationPages({ role }: Caller, { frame, webhooks, serviceKeys }: Texts): readonly Link[] {
  return [
    ['/app/organisation', frame.profile],
    ['/app/people', frame.people],
    ['/app/culture', frame.culture],
    ...(role === 'auditor' ? [] : [['/app/webhooks', webhooks.title] as const]),
    ...(role === 'org_viewer' ? [] : [['/app/keys', serviceKeys.title] as const]),
  ];
}

function listOperatorSections({ operator }: Texts): readonly Section[] {
  return Object.values(operator.sections).map(({ label, pages }) => ({
    label,
    pages: Object.entries(pages).map(([page, name]) => [`/app/operator/${page}`, name] as const),
  }));
}
