import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { computeAllMatches } from '#modules/matching/matches';
import { startApp, type TestApp } from '../harness.ts';
import { getMatchIndex } from '../../src/modules/matching/matches/index/match-index.ts';
import { getIndexReporter } from '../../src/modules/matching/matches/index/report-index.ts';
import { partEnvironment } from '../modules/index-parts.ts';
import { runTask } from '../modules/matching.ts';
import { findPromqlFaults, listResultLabels, parseExposition, type Exposed } from './promql.ts';

const root = path.join(import.meta.dirname, '../..');
const readText = (file: string) => readFileSync(path.join(root, file), 'utf8');

type Rule = {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
};
type Panel = {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly gridPos: { readonly h: number; readonly w: number; readonly x: number; readonly y: number };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
};
type Dashboard = {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly query: string }[] };
};

const { groups } = parse(readText('ops/prometheus/alerts.yml')) as {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(readText('ops/grafana/tessera.json')) as Dashboard;
const panels = dashboard.panels.filter(({ type }) => type !== 'row');

let exposed: Exposed;
beforeAll(async () => {
  // A service with one part of the index has every metric.
  const app = await startApp({ ...partEnvironment, TESSERA_INDEX_SHARD: '1/1' });
  const url = await app.internalServer.listen({ host: '127.0.0.1', port: 0 });
  await getMatchIndex(app.platform).refresh();
  await getIndexReporter(app.platform).announce(url);
  await useService(app);
  const reply = await fetch(`${url}/metrics`);
  exposed = parseExposition(await reply.text());
});

/** Uses the service over HTTP until every metric has a sample: requests of all kinds, tasks, and the match index. */
async function useService(app: TestApp): Promise<void> {
  const { port } = new URL(await app.server.listen({ host: '127.0.0.1', port: 0 }));
  const send = (target: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${port}${target}`, init);
  const { token } = await app.registerMember();
  await send('/api/v1/auth/me', { headers: { authorization: `Bearer ${token}` } });
  await send('/nowhere');
  await app.drainQueue();
  await runTask(app, computeAllMatches, {});
  await failRequest(app, () => send('/openid4vci/offers/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'));
}

/** Sends a request while a table that it needs is missing, which is a defect and so a reply of the class 5xx. */
async function failRequest(app: TestApp, send: () => Promise<Response>): Promise<void> {
  const { log } = app.platform;
  const { level } = log;
  log.level = 'silent';
  await app.sql.transaction(
    async (tx) => void (await tx.client.query('alter table wallet_offers rename to renamed')),
  );
  expect((await send()).status).toBe(500);
  log.level = level;
}

describe('the metrics', () => {
  test('all have the prefix, a description and a sample', () => {
    expect(exposed.size).toBeGreaterThan(40);
    for (const [name, { help }] of exposed)
      expect([name, help]).toEqual([name, expect.stringMatching(/[\w)]\.?$/)]);
    expect([...exposed.keys()].filter((name) => !name.startsWith('tessera_'))).toEqual([]);
  });

  test('are all in docs/metrics.md, with their types, labels and descriptions, and no others', () => {
    const row = /^\| `(tessera_\w+)` \| (\w+) \| (.*?) \| (.*) \|$/gm;
    const rows = [...readText('docs/metrics.md').matchAll(row)];
    const documented = new Map(
      rows.map(([, name = '', type, labels = '', help]) => [name, { type, labels: listNames(labels), help }]),
    );
    const missing = [...documented.keys()].filter((name) => !exposed.has(name));
    // Some metrics of the process exist on Linux only.
    expect(process.platform === 'linux' ? missing : missing.filter((name) => !isOfProcess(name))).toEqual([]);
    for (const [name, { type, labels, help }] of exposed) {
      const described = documented.get(name);
      expect([name, described?.type, described?.help]).toEqual([name, type, help.replace(/\.$/, '')]);
      // Node may have had nothing to label yet, such as an active request.
      const seen = isOfProcess(name)
        ? described!.labels.filter((label) => labels.has(label))
        : described!.labels;
      expect([name, seen]).toEqual([name, [...labels.keys()]]);
    }
  });
});

const isOfProcess = (name: string) => /^tessera_(nodejs|process)_/.test(name);
const listNames = (cell: string) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);

describe('ops/prometheus/alerts.yml', () => {
  test.each(rules)('$alert uses only what the service exposes', ({ expr }) => {
    expect(findPromqlFaults(expr, exposed)).toEqual([]);
  });

  test.each(rules)(
    '$alert has a threshold, a severity, and a text that names only labels of its result',
    (rule) => {
      expect(rule.expr).toMatch(/(==|>|<) [\w.]+|> sum/);
      expect(['warning', 'critical']).toContain(rule.labels['severity']);
      const { summary = '', runbook } = rule.annotations;
      const named = [...summary.matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label);
      expect(listResultLabels(rule.expr, exposed)).toEqual(expect.arrayContaining(named));
      expect(runbook).toBe('docs/operating.md#alerts');
    },
  );

  test('docs/operating.md says what to do about every alert, and names no others', () => {
    const documented = [
      ...readText('docs/operating.md').matchAll(/^\| `(Tessera\w+)` \| .{20,} \| .{20,} \|$/gm),
    ];
    expect(documented.map(([, name]) => name)).toEqual(rules.map(({ alert }) => alert));
  });

  test('covers what an operator must learn of', () => {
    const expressions = rules.map(({ expr }) => expr).join('\n');
    for (const metric of [
      'tessera_log_lines_dropped_total',
      'tessera_tasks_oldest_wait_seconds',
      'tessera_tasks_failed',
      'tessera_match_index_lag_seconds',
      'tessera_match_index_ready',
      'tessera_ready',
      'tessera_mails_total{outcome="failed"}',
      'tessera_logins_total{outcome="failed"}',
      'tessera_http_request_duration_seconds_count{status="5xx"}',
      'tessera_http_request_duration_seconds_bucket',
    ])
      expect(expressions).toContain(metric);
  });
});

describe('ops/grafana/tessera.json', () => {
  test.each(panels)(
    'the panel $title uses only what the service exposes',
    ({ targets = [], description }) => {
      expect(description).toMatch(/\.$/);
      expect(targets.length).toBeGreaterThan(0);
      for (const { expr, legendFormat } of targets) {
        // Grafana replaces this variable before it asks Prometheus. `$instance` is inside a string.
        expect(findPromqlFaults(expr.replaceAll('$__rate_interval', '5m'), exposed)).toEqual([]);
        const named = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label);
        expect(listResultLabels(expr.replaceAll('$__rate_interval', '5m'), exposed)).toEqual(
          expect.arrayContaining(named),
        );
        expect(expr).toContain('instance=~"$instance"');
      }
    },
  );

  test('shows every metric of the service itself', () => {
    const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)).join('\n');
    const own = [...exposed.keys()].filter((name) => !isOfProcess(name));
    expect(own.filter((name) => !expressions.includes(name))).toEqual([]);
  });

  test('lists the processes by a metric that every one of them exposes', () => {
    const query = dashboard.templating.list.find(({ name }) => name === 'instance')?.query;
    expect(query).toBe('label_values(tessera_ready, instance)');
    expect(exposed.has('tessera_ready')).toBe(true);
  });

  test('has panels with different ids that do not overlap', () => {
    const all = dashboard.panels;
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    const cells = all.flatMap(({ gridPos: { h, w, x, y } }) =>
      Array.from({ length: h * w }, (_, cell) => `${x + (cell % w)} ${y + Math.floor(cell / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(all.every(({ gridPos: { w, x } }) => x + w <= 24)).toBe(true);
  });
});

describe('ops/prometheus/prometheus.yml', () => {
  test('reads the internal port by default, as the job that the alerts name, and loads the alerts', () => {
    const file = parse(readText('ops/prometheus/prometheus.yml'));
    const [job] = file.scrape_configs;
    expect([job.job_name, job.static_configs]).toEqual(['tessera', [{ targets: ['127.0.0.1:8421'] }]]);
    expect(rules.map(({ expr }) => expr).join('\n')).toContain(`up{job="${job.job_name}"}`);
    expect(file.rule_files).toEqual(['alerts.yml']);
  });
});

describe('the check of expressions', () => {
  const count = 'tessera_http_request_duration_seconds_count';
  test.each([
    ['rate(tessera_unknown_total[5m]) > 0', 'unknown metric tessera_unknown_total'],
    ['tessera_tasks_waiting{queue="a"} > 0', 'tessera_tasks_waiting has no label queue'],
    ['tessera_mails_total{outcome="lost"} > 0', 'tessera_mails_total has no value "lost" of outcome'],
    [`sum by (path) (rate(${count}[5m])) > 0`, 'groups by unknown label path'],
    ['rate(tessera_tasks_waiting[5m]) > 0', 'rate of a gauge'],
    ['delta(tessera_mails_total[5m]) > 0', 'delta of a counter'],
    [`sum by (le) (rate(${count}[5m])) > 0`, 'groups by unknown label le'],
    ['sum(rate(tessera_mails_total[5m]) > 0', 'does not parse at 37'],
    ['rat(tessera_mails_total[5m]) > 0', 'does not parse at 3, 4, 27'],
    ['1 > 0', 'names no metric'],
  ])('finds the fault in %s', (expression, fault) => {
    expect(findPromqlFaults(expression, exposed)).toEqual([fault]);
  });
});
