import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { toCamelCase } from '../../scripts/tidy/source.ts';
import { additionalRows, specifiedRows } from '../../src/tables/api.ts';

const folder = path.join(import.meta.dirname, '../../src/web');

/** Operations that no page calls, by the reason. A page that begins to call one takes it off this list. */
const unreached: Readonly<Record<string, readonly string[]>> = {
  'only programs need it, or a browser that is sent there': [
    'accounts.refreshSession',
    'accounts.registerUser',
    'credentials.readDataIntegrity',
    'credentials.readServiceKeys',
    'credentials.readStatusList',
    'credentials.readTokenStatusList',
    'credentials.verifyAttestation',
    'credentials.verifyCredential',
    'foreignCredentials.verifyCredentialText',
    'candidates.readCandidateInvitation',
    'jobs.readBoard',
    'matches.listReferences',
    'matches.setReference',
    'sandbox.advanceClock',
    'sandbox.cancelYear',
    'sandbox.readSandbox',
    'sandbox.startYear',
    'serviceKeys.reportServiceKey',
    'webhooks.openStream',
    'webhooks.fetchDeliveries',
    'webhooks.reportDeliveries',
    'stubs.addStubObservations',
    'stubs.createStub',
    'stubs.deleteStub',
    'sso.finishLogin',
    'sso.finishOpenidLogin',
    'sso.readMetadata',
    'sso.startLogin',
  ],
  'another operation gives the page the same': [
    'matches.computeMatches',
    'matches.listMatchesByJob',
    'rights.exportMemberData',
  ],
};

test('every operation is called by a page, or is on the list of those that no page reaches, with the reason', () => {
  const called = new Set(listFiles(folder).flatMap((file) => listCalls(readFileSync(file, 'utf8'))));
  const operations = [...specifiedRows, ...additionalRows].map(({ operation }) => operation.name);
  const missing = operations.filter((name) => !called.has(name)).toSorted();
  expect(missing).toEqual(Object.values(unreached).flat().toSorted());
});

function listFiles(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => path.join(directory, name));
}

/** The operations in `call(accounts.readMe)`, `call(readMe)` and `closeAccount(visit, rights.deleteAccount)`, by the module from which the name is imported. */
function listCalls(source: string): readonly string[] {
  const imports = source.matchAll(
    /\bimport (?:\* as (\w+)|\{([^}]*)\}) from '#modules\/[a-z-]+\/([a-z-]+)'/g,
  );
  const modules = new Map(
    [...imports].flatMap(([, all, names = '', module = '']) =>
      (all === undefined ? names.split(',') : [all]).map(
        (name) => [name.trim(), toCamelCase(module)] as const,
      ),
    ),
  );
  return [...source.matchAll(/\b(?:call|sendForm|closeAccount)\(\s*(?:visit, )?(\w+)(?:\.(\w+))?/g)].map(
    ([, name = '', operation = name]) => `${modules.get(name) ?? name}.${operation}`,
  );
}
