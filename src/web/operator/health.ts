import * as operator from '#modules/operations/operator';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Html } from '../serving/html.ts';
import { showHeaded, type Page, type Visit } from '../serving/page.ts';
import { renderBars, renderLines } from '../parts/chart.ts';
import { renderFacts } from '../parts/facts.ts';

/** What the process that replies knows about itself: three charts of the last hour, and the state of what it depends on. */
export const healthPage: Page = {
  show: async (visit) => {
    const { operatorHealth: words } = visit.texts;
    const health = await visit.call(operator.readHealth);
    const content = html`<div class="charts">${renderCharts(visit, health.minutes)}</div>
      <div class="cards">${renderParts(visit, health)}</div>
      <p class="quiet after">${words.all}</p>`;
    return showHeaded(words, content, {
      below: html`<p><a href="/app/operator/health">${words.refresh}</a></p>`,
    });
  },
};

type Health = OperationBody<typeof operator.readHealth>;
type Minutes = Health['minutes'];

function renderCharts(visit: Visit, minutes: Minutes): Html {
  const { operatorHealth: words } = visit.texts;
  const { formatNumber, formatDuration } = visit.format;
  const list = (read: (minute: Minutes[number]) => number) => minutes.map(read);
  const whole = minutes.at(-2) ?? minutes.at(-1);
  const ends = [words.hourAgo, words.now] as const;
  const most = Math.max(0, ...list(({ requests }) => requests));
  const formatMs = (ms: number | null | undefined) =>
    ms === null || ms === undefined ? visit.texts.operator.none : formatDuration(ms / 1_000);
  const sum = (read: (minute: Minutes[number]) => number) =>
    list(read).reduce((total, each) => total + each, 0);
  const latest = minutes.findLast(({ median_ms }) => median_ms !== null);
  return html`${renderBars({
    title: words.requests,
    summary: words.requestsNow(formatNumber(whole?.requests ?? 0), formatNumber(most)),
    ends,
    series: [
      {
        look: 'good',
        name: words.answered,
        values: list((each) => each.requests - each.refused - each.failed),
      },
      { look: 'warn', name: words.refused, values: list(({ refused }) => refused) },
      { look: 'bad', name: words.failed, values: list(({ failed }) => failed) },
    ],
  })}
  ${renderLines({
    title: words.latency,
    summary: words.latencyNow(formatMs(latest?.median_ms), formatMs(latest?.p95_ms)),
    ends,
    series: [
      { look: 'good', name: words.median, values: minutes.map(({ median_ms }) => median_ms) },
      { look: 'warn', name: words.p95, values: minutes.map(({ p95_ms }) => p95_ms) },
    ],
  })}
  ${renderBars({
    title: words.mails,
    summary: words.mailsNow(
      formatNumber(sum(({ mails_sent }) => mails_sent)),
      formatNumber(sum(({ mails_failed }) => mails_failed)),
    ),
    ends,
    series: [
      { look: 'good', name: words.sent, values: list(({ mails_sent }) => mails_sent) },
      { look: 'bad', name: words.failed, values: list(({ mails_failed }) => mails_failed) },
    ],
  })}`;
}

function renderParts(visit: Visit, health: Health): Html {
  const { operatorHealth: words, operatorKeys } = visit.texts;
  const { formatDuration } = visit.format;
  const now = visit.now.getTime();
  const keys = health.keys.map(({ purpose, algorithm, created_at }) => {
    const age = Math.max(0, now - new Date(created_at).getTime()) / 1_000;
    return [operatorKeys.purposes[purpose], words.keyAge(algorithm, formatDuration(age))] as const;
  });
  return html`${renderProcess(visit, health)} ${renderDatabase(visit, health)} ${renderQueue(visit, health)}
    ${renderIndex(visit, health)}
    <section class="panel">
      <h2>${words.keys}</h2>
      ${renderFacts(keys)}
    </section>
    <section class="panel">
      <h2>${words.mail}</h2>
      <p>${words.transports[health.mail.transport]}</p>
    </section>
    ${renderArchive(visit, health)}`;
}

function renderArchive({ texts, format }: Visit, { archive }: Health): Html | false {
  const { operatorHealth: words } = texts;
  if (!archive) return false;
  const { restorable_from, restorable_to, fault, drill } = archive;
  const formatMoment = (time: string | null | undefined) =>
    time ? format.formatExactTime(time) : words.none;
  return html`<section class="panel">
    <h2>${words.archive}</h2>
    <p><span class="tag ${fault !== null && 'clay'}">${fault ?? words.archiveFollows}</span></p>
    ${renderFacts([
      [words.restorableFrom, formatMoment(restorable_from)],
      [words.restorableTo, formatMoment(restorable_to)],
      [words.drillProved, formatMoment(drill?.succeeded_at)],
      [words.drillTook, drill ? format.formatDuration(drill.seconds) : undefined],
      [words.drillFault, drill?.fault ?? undefined],
    ])}
  </section>`;
}

function renderProcess({ texts, format }: Visit, { node }: Health): Html {
  const { operatorHealth: words } = texts;
  return html`<section class="panel">
    <h2>${words.process}</h2>
    ${renderFacts([
      [words.version, `${node.version}, Node ${node.node_version}`],
      [words.commit, html`<code>${node.commit.slice(0, 12)}</code>`],
      [words.roles, format.formatList(node.roles.map((role) => words.roleWords[role]))],
      [words.uptime, format.formatDuration(node.uptime_seconds)],
      [words.memory, format.formatBytes(node.memory_bytes)],
    ])}
  </section>`;
}

function renderDatabase({ texts, format }: Visit, { database }: Health): Html {
  const { operatorHealth: words } = texts;
  const { formatNumber } = format;
  const used = database.connections - database.idle;
  return html`<section class="panel">
    <h2>${words.database}</h2>
    <p>
      <span class="tag ${database.state !== 'up' && 'clay'}">${words.databaseStates[database.state]}</span>
    </p>
    ${renderFacts([
      [words.connections, words.connectionsOf(formatNumber(used), formatNumber(database.connections_max))],
      [words.connectionsWaiting, formatNumber(database.waiting)],
    ])}
  </section>`;
}

function renderQueue({ texts, format }: Visit, { queue }: Health): Html {
  const { operatorHealth: words } = texts;
  const { formatNumber, formatDuration } = format;
  return html`<section class="panel">
    <h2><a href="/app/operator/queue">${words.queue}</a></h2>
    ${
      queue
        ? renderFacts([
            [words.waiting, formatNumber(queue.waiting)],
            [
              words.oldest,
              queue.waiting === 0 ? texts.operator.none : formatDuration(queue.oldest_wait_seconds),
            ],
            [words.running, formatNumber(queue.running)],
            [words.failedTasks, formatNumber(queue.failed)],
          ])
        : html`<p><span class="tag clay">${words.queueUnreadable}</span></p>`
    }
  </section>`;
}

function renderIndex({ texts, format }: Visit, { matching }: Health): Html {
  const { operatorHealth: words, operatorMatching } = texts;
  return html`<section class="panel">
    <h2><a href="/app/operator/matching">${words.index}</a></h2>
    ${
      matching
        ? html`<p>
              <span class="tag ${matching.readiness !== 'ready' && 'clay'}"
                >${operatorMatching.readiness[matching.readiness]}</span
              >
            </p>
            ${renderFacts([
              [operatorMatching.members, format.formatNumber(matching.members)],
              [operatorMatching.memory, format.formatBytes(matching.bytes)],
            ])}`
        : html`<p>${words.noIndex}</p>`
    }
  </section>`;
}
