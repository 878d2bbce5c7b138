import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig, type Config } from '#platform/config.ts';
import { cleanUpAfterFile } from '../clean-up.ts';

const read = (name: string) => readFileSync(new URL(`../../ops/${name}`, import.meta.url), 'utf8');
const image = read('Dockerfile');
const secrets = mkdtempSync(path.join(tmpdir(), 'tessera-secrets-'));
cleanUpAfterFile(() => rmSync(secrets, { recursive: true, force: true }));

const values = {
  'master-key': Buffer.alloc(32).toString('base64'),
  'database-url': 'postgres://tessera@db.example/tessera?sslmode=verify-full',
  'smtp-url': 'smtps://mail.example',
};
for (const [name, value] of Object.entries(values)) writeFileSync(path.join(secrets, name), `${value}\n`);

/** What the service makes of the variables of a container, with those of the image. */
function readContainerConfig(environment: Readonly<Record<string, string>>): Config {
  const names = [...image.matchAll(/^ENV (.+)$/gm)].flatMap(([, pairs]) => pairs!.split(' '));
  const own = names.map((pair) => pair.split('=')).filter(([, value]) => !value!.startsWith('$'));
  return readConfig({ ...Object.fromEntries(own), ...environment });
}

test('the manifests for Kubernetes run the image without rights, with secrets from files, and replace pods one by one', () => {
  const documents = parseAllDocuments(read('kubernetes/tessera.yaml')).map((each) => each.toJS());
  const find = (kind: string) => documents.find((each) => each.kind === kind);
  const { spec } = find('Deployment');
  const pod = spec.template.spec;
  const [container] = pod.containers;
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000 });
  expect(container.securityContext).toEqual({
    readOnlyRootFilesystem: true,
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
  });
  expect(spec.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });

  // Every place that is written has a volume, and every volume that is mounted exists.
  const mounts = container.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath);
  expect(mounts).toEqual([/^VOLUME (.+)$/m.exec(image)![1], '/tmp', '/run/secrets/tessera']);
  const listNames = (list: readonly { name: string }[]) => list.map(({ name }) => name);
  expect(listNames(container.volumeMounts)).toEqual(listNames(pod.volumes));

  // Selectors find the pods, and ports have the names that probes and services use.
  const { labels } = spec.template.metadata;
  expect([
    spec.selector.matchLabels,
    find('Service').spec.selector,
    find('PodDisruptionBudget').spec.selector.matchLabels,
    find('NetworkPolicy').spec.podSelector.matchLabels,
  ]).toEqual([labels, labels, labels, labels]);
  const { readinessProbe, livenessProbe, startupProbe } = container;
  expect([readinessProbe, livenessProbe, startupProbe].map(({ httpGet }) => httpGet)).toEqual(
    ['ready', 'live', 'live'].map((what) => ({ path: `/health/${what}`, port: 'internal' })),
  );
  const variables = container.env as readonly { name: string; value: string }[];
  const config = readContainerConfig(
    Object.fromEntries(
      variables.map(({ name, value }) => [name, value.replace('/run/secrets/tessera', secrets)]),
    ),
  );
  expect(container.ports).toEqual([
    { name: 'http', containerPort: config.port },
    { name: 'internal', containerPort: config.internalPort },
  ]);
  expect(config).toMatchObject({
    production: true,
    host: '0.0.0.0',
    internalHost: '0.0.0.0',
    databaseUrl: values['database-url'],
    smtpUrl: values['smtp-url'],
  });
  // A stop has the time of the pause before it and of the requests in progress.
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(5 + 15);
});

test('the compose file starts the service with what it needs, after its database', () => {
  const { services, volumes } = parse(read('compose.yaml'));
  const { tessera, database } = services;
  const given: Readonly<Record<string, string>> = {
    POSTGRES_PASSWORD: 'secret',
    TESSERA_PUBLIC_URL: 'https://tessera.example',
    TESSERA_MASTER_KEY: values['master-key'],
  };
  const fillIn = (text: string) =>
    text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind?: string, rest = '') => {
      expect([name, kind === '-' || given[name] !== undefined]).toEqual([name, true]);
      return given[name] ?? rest;
    });
  const environment = Object.fromEntries(
    Object.entries(tessera.environment as Record<string, string>).map(([name, text]) => [name, fillIn(text)]),
  );
  const config = readContainerConfig(environment);
  const { host, pathname, username } = new URL(config.databaseUrl!);
  expect([host, pathname, username]).toEqual([
    'database:5432',
    `/${database.environment.POSTGRES_DB}`,
    database.environment.POSTGRES_USER,
  ]);
  expect(tessera.ports).toEqual([`127.0.0.1:${config.port}:8420`]);
  expect(config).toMatchObject({ production: true, internalHost: '127.0.0.1' });
  expect(tessera.depends_on).toEqual({ database: { condition: 'service_healthy' } });
  expect(tessera).toMatchObject({ read_only: true, cap_drop: ['ALL'], tmpfs: ['/tmp'] });
  const mounted = [tessera, database]
    .flatMap((each) => each.volumes)
    .map((each: string) => each.split(':')[0]);
  expect(new Set(mounted)).toEqual(new Set(Object.keys(volumes)));
});
