import { describeBrowser } from '#lib/text/describe-browser.ts';
import * as accounts from '#modules/access/accounts';
import { html, type Html } from '../serving/html.ts';
import { readCursor, sendForm, showHeaded, type Page, type Visit } from '../serving/page.ts';
import { renderForm } from '../parts/form.ts';

/** The devices that are logged in, each with a button that logs it out. */
export const devicesPage: Page = {
  show: async (visit) => {
    const { devices } = visit.texts;
    const { data, pagination } = await visit.call(accounts.listSessions, { limit: 50, ...readCursor(visit) });
    const content = html`<dl class="rows">${data.map((session) => renderDevice(visit, session))}</dl>
      ${pagination.next_cursor !== null && html`<p><a href="/app/account/devices?cursor=${encodeURIComponent(pagination.next_cursor)}">${devices.more}</a></p>`}`;
    return showHeaded(devices, content);
  },
  actions: {
    log_out: sendForm(accounts.endSession, '/app/account/devices', 'deviceLoggedOut'),
  },
};

type Session = {
  readonly id: string;
  readonly created_at: string;
  readonly last_used_at: string;
  readonly address: string;
  readonly user_agent: string | null;
  readonly current: boolean;
};

function renderDevice(visit: Visit, session: Session): Html {
  const { devices } = visit.texts;
  const { formatTime } = visit.format;
  const known = describeBrowser(session.user_agent);
  const name = known ? devices.on(known.browser, known.system) : devices.unknown;
  return html`<div>
    <dt>${name}</dt>
    <dd class="quiet">
      ${devices.since(formatTime(session.created_at))} ${devices.from(session.address)}<br />${devices.used(formatTime(session.last_used_at))}
    </dd>
    <dd class="do">
      ${
        session.current
          ? html`<span class="tag">${devices.current}</span>`
          : renderForm(visit, {
              action: 'log_out',
              button: devices.logOut,
              button_label: devices.logOutOf(name),
              look: 'quiet',
              hidden: { session_id: session.id },
            })
      }
    </dd>
  </div>`;
}
