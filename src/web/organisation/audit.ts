import { formatExternalId } from '#lib/external-id.ts';
import { refusals, type RefusalCode } from '#lib/refusals.ts';
import { parseTime } from '#lib/outside-values.ts';
import * as audit from '#modules/operations/audit';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Content, type Html } from '../serving/html.ts';
import { readCursor, showHeaded, type Page, type Visit } from '../serving/page.ts';
import { showReadersOnly } from './admins-only.ts';
import { listAllUsers, nameUser } from './people/user.ts';

type Entry = OperationBody<typeof audit.readAuditLog>['data'][number];

const rows_max = 50;

/** The filter of the log, as the address has it; empty for all. */
type Filter = Readonly<Record<'action' | 'actor' | 'since' | 'until', string>>;

/** The audit log of the organisation: who did what, and when. */
export const auditPage: Page = {
  show: async (visit) => {
    const { audit: texts } = visit.texts;
    if (visit.caller.role === 'org_viewer') return showReadersOnly(visit, texts.title);
    const filter = readFilter(visit);
    const { cursor } = visit.query;
    const [{ data, pagination }, users] = await Promise.all([
      visit.call(audit.readAuditLog, {
        limit: rows_max,
        ...toInput(filter),
        ...readCursor(visit),
      }),
      listAllUsers(visit),
    ]);
    const names = new Map(users.map((user) => [user.id, nameUser(user)]));
    const content = html`${renderFilter(visit, filter, names)}
    ${
      data.length === 0
        ? html`<p class="after quiet">${texts.empty}</p>`
        : html`<ol class="log after">
            ${data.map((entry) => renderEntry(visit, entry, names))}
          </ol>`
    }
    ${
      (pagination.next_cursor !== null || cursor !== undefined) &&
      html`<p class="after buttons">
        ${pagination.next_cursor !== null && html`<a class="button quiet" href="${buildAddress(filter, pagination.next_cursor)}">${texts.older}</a>`}
        ${cursor !== undefined && html`<a href="${buildAddress(filter)}">${texts.newest}</a>`}
      </p>`
    }`;
    return showHeaded(texts, html`${content}${renderHead(texts)}`, {
      back: ['/app/organisation', texts.back],
    });
  },
};

function renderHead(texts: Visit['texts']['audit']): Html {
  return html`<p class="after"><a href="/app/audit/head" download>${texts.head}</a></p>
    <p class="quiet">${texts.headNote}</p>`;
}

/** The signed head of the log as a file. */
export const auditHeadPage: Page = {
  show: async (visit) => {
    const head = await visit.call(audit.readAuditHead, {});
    const filename = `audit-head-${head.signed_at.slice(0, 10)}.json`;
    const content = JSON.stringify(head, null, 2);
    return { kind: 'download', file: { filename, content }, media_type: 'application/json' };
  },
};

/** Reads the filter. What is not an action, a date or an id is left out. */
function readFilter({ query, texts: { audit: texts } }: Visit): Filter {
  const read = (name: string, pattern: RegExp) => {
    const value = query[name] ?? '';
    return pattern.test(value) ? value : '';
  };
  const date = /^\d{4}-\d{2}-\d{2}$/;
  const action = query['action'] ?? '';
  return {
    action: Object.hasOwn(texts.actions, action) ? action : '',
    actor: read('actor', uuid),
    since: readDay(read('since', date)) ? read('since', date) : '',
    until: readDay(read('until', date)) ? read('until', date) : '',
  };
}

/** The first moment of a date; undefined for what is not one. */
function readDay(text: string): Date | undefined {
  return parseTime(`${text}T00:00:00Z`);
}

const day_ms = 24 * 60 * 60 * 1000;
/** The API reads no later time. */
const end_ms = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The whole last day is included. */
function toInput({ action, actor, since, until }: Filter) {
  const [first, last] = [readDay(since), readDay(until)];
  return {
    ...(action !== '' && { action }),
    ...(actor !== '' && { actor_user_id: actor }),
    ...(first && { since: first.toISOString() }),
    ...(last && { until: new Date(Math.min(last.getTime() + day_ms, end_ms)).toISOString() }),
  };
}

function buildAddress(filter: Filter, cursor?: string): string {
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''));
  if (cursor !== undefined) query.set('cursor', cursor);
  const text = query.toString();
  return `/app/audit${text === '' ? '' : `?${text}`}`;
}

function renderFilter(
  { texts: { audit: texts } }: Visit,
  filter: Filter,
  names: ReadonlyMap<string, string>,
): Html {
  const actions = Object.entries(texts.actions).toSorted(([, one], [, other]) => (one < other ? -1 : 1));
  return html`<form class="filters" method="get" action="/app/audit">
    <div class="field">
      <label for="action">${texts.what}</label>
      <select id="action" name="action">
        <option value="">${texts.anything}</option>
        ${actions.map(([action, words]) => html`<option value="${action}" ${action === filter.action && 'selected'}>${words}</option>`)}
      </select>
    </div>
    <div class="field">
      <label for="actor">${texts.who}</label>
      <select id="actor" name="actor">
        <option value="">${texts.anybody}</option>
        ${[...names].map(([id, name]) => html`<option value="${id}" ${id === filter.actor && 'selected'}>${name}</option>`)}
      </select>
    </div>
    <div class="field">
      <label for="since">${texts.since}</label>
      <input id="since" name="since" type="date" value="${filter.since}" />
    </div>
    <div class="field">
      <label for="until">${texts.until}</label>
      <input id="until" name="until" type="date" value="${filter.until}" />
    </div>
    <p class="buttons"><button class="button quiet">${texts.show}</button></p>
  </form>`;
}

/** Renders an entry of the log. */
export function renderEntry(
  { texts: { audit: texts, people }, format, tools }: Visit,
  { action, actor, detail, created_at }: Entry,
  names: ReadonlyMap<string, string>,
): Html {
  const words: Readonly<Record<string, string>> = texts.actions;
  const role =
    actor.role === null || !Object.hasOwn(people.roles, actor.role)
      ? undefined
      : people.roles[actor.role as keyof typeof people.roles];
  const name = actor.user_id === null ? undefined : names.get(actor.user_id);
  const facts = Object.entries(detail).filter(([, value]) => value !== null && value !== '');
  return html`<li>
    <p><strong>${words[action] ?? action}</strong></p>
    <p class="quiet small">
      <time datetime="${created_at}">${format.formatTime(created_at)}</time> ·
      ${name ?? nameOther(texts, actor)}${role !== undefined && name === undefined && ` (${role})`}
    </p>
    ${
      facts.length > 0 &&
      html`<dl class="small">
        ${facts.map(
          ([key, value]) =>
            html`<div>
              <dt>${formatFactName(texts, key)}</dt>
              <dd>${formatFact({ texts, format, tools }, [key, value], names)}</dd>
            </div>`,
        )}
      </dl>`
    }
  </li>`;
}

/** Names an actor who is no user of the organisation: the log does not say which member it was. */
function nameOther(texts: Visit['texts']['audit'], { user_id, role }: Entry['actor']): string {
  if (role === 'member') return texts.member;
  if (role === 'platform_admin') return texts.operator;
  return user_id === null ? texts.service : texts.former;
}

/** The word for a fact. A version of the service that is older than the entry shows its code. */
function formatFactName(texts: Visit['texts']['audit'], key: string): string {
  const words: Readonly<Record<audit.AuditFact, string>> = texts.facts;
  return Object.hasOwn(words, key) ? words[key as audit.AuditFact] : key.replaceAll('_', ' ');
}

/** A user among the facts is named, a time is readable, a code is in words, and another id has its short form. */
function formatFact(
  { texts, format, tools }: Pick<Visit, 'format' | 'tools'> & { readonly texts: Visit['texts']['audit'] },
  [key, value]: readonly [key: string, value: string | number | boolean | null],
  names: ReadonlyMap<string, string>,
): Content {
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  const text = String(value);
  if (key === 'fields')
    return text
      .split(', ')
      .map((name) => findWord(texts.fields, name))
      .join(', ');
  if (key === 'placed_at' || key === 'placed_at_before') return format.formatDate(text);
  if (key === 'tool') return tools.find(({ name }) => name === text)?.title ?? text;
  if (key === 'job_id') return html`<a href="/app/jobs/${text}">${formatExternalId('JOB', text)}</a>`;
  if (key === 'reason' && Object.hasOwn(refusals, text)) return refusals[text as RefusalCode][1];
  const named = names.get(text) ?? findWord(texts.values, text);
  return uuid.test(named) ? formatExternalId(key === 'match_id' ? 'MATCH' : 'ID', named) : named;
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function findWord(words: Readonly<Record<string, string>>, code: string): string {
  return Object.hasOwn(words, code) ? words[code]! : code;
}
