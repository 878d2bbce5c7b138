import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { cleanUpAfterFile } from '../clean-up.ts';
import { findFreePort } from '#test/free-port.ts';
import { runTessera } from '../process/run-tessera.ts';

const run = promisify(execFile);
const bin = process.env['POSTGRES_BIN'] ?? '/usr/lib/postgresql/15/bin';
const canRun = process.getuid!() === 0 && existsSync('/usr/bin/pgbackrest') && existsSync(`${bin}/postgres`);

describe.skipIf(!canRun)(
  'the recipe for an external database (skipped unless root, pgbackrest and postgresql of Debian are there)',
  () => {
    let place = '';
    let port = 0;
    let uid = 0;
    let gid = 0;
    const readRecipe = (name: string) => readFile(new URL(`../../ops/${name}`, import.meta.url), 'utf8');

    /** Runs a program as the account of the database. */
    const runAs = (program: string, words: readonly string[]) =>
      run(program, words, { uid, gid, cwd: place, env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' } });
    const runBackRest = (...words: string[]) =>
      runAs('pgbackrest', [`--config=${place}/pgbackrest.conf`, '--stanza=tessera', ...words]);
    /** When the last backup ended, in seconds since 1970. */
    const readBackupEnd = async (): Promise<number> =>
      JSON.parse((await runBackRest('info', '--output=json')).stdout)[0].backup.at(-1).timestamp.stop;
    const runControl = (...words: string[]) =>
      runAs(`${bin}/pg_ctl`, ['-D', `${place}/data`, '-w', '-l', `${place}/log`, ...words]);
    const getUrl = () => `postgres://postgres@127.0.0.1:${port}/tessera`;

    async function query(statement: string, database = getUrl()): Promise<Record<string, unknown>[]> {
      const client = new pg.Client(database);
      await client.connect();
      try {
        return (await client.query(statement)).rows;
      } finally {
        await client.end();
      }
    }

    beforeAll(async () => {
      [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres']))) as [
        number,
        number,
      ];
      place = await mkdtemp(join(tmpdir(), 'tessera-pgbackrest-'));
      port = await findFreePort();
      await chmod(place, 0o700);
      await mkdir(join(place, 'repository'));
      const config = (await readRecipe('pgbackrest.conf'))
        .replace('/var/lib/pgbackrest', `${place}/repository`)
        .replace('/var/lib/postgresql/18/main', `${place}/data\npg1-socket-path=${place}\npg1-port=${port}`)
        .replace('[global]', `[global]\nlock-path=${place}/lock\nspool-path=${place}/spool`);
      await writeFile(join(place, 'pgbackrest.conf'), config);
      for (const each of [place, join(place, 'repository'), join(place, 'pgbackrest.conf')])
        await chown(each, uid, gid);
      await runAs(`${bin}/initdb`, ['-D', `${place}/data`, '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8']);
      const settings = (await readRecipe('pgbackrest-postgresql.conf')).replace(
        'pgbackrest --stanza',
        `pgbackrest --config=${place}/pgbackrest.conf --stanza`,
      );
      const listen = `port = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '${place}'\n`;
      await writeFile(join(place, 'data', 'postgresql.auto.conf'), `${settings}${listen}`);
      await runControl('start');
      cleanUpAfterFile(async () => {
        await runControl('stop', '-m', 'immediate').catch(() => undefined);
        await rm(place, { recursive: true, force: true });
      });
      await query('CREATE DATABASE tessera', `postgres://postgres@127.0.0.1:${port}/postgres`);
    }, 300_000);

    test('a lost disk is restored to a moment, and what was written later is not there', async () => {
      const migrated = runTessera(['cli', 'migrate'], { TESSERA_DATABASE_URL: getUrl() });
      expect([await migrated.exited, migrated.readErrors()]).toEqual([0, '']);
      await runBackRest('stanza-create');
      await runBackRest('check');
      await query('CREATE TABLE written (number int); INSERT INTO written VALUES (1)');
      await runBackRest('backup', '--type=full');
      // A backup serves moments after the second in which it ended.
      const end_ms = ((await readBackupEnd()) + 1) * 1_000;
      while (Date.now() < end_ms) await pause(200);
      await query('INSERT INTO written VALUES (2)');
      const [{ moment }] = (await query('SELECT clock_timestamp()::text AS moment')) as [{ moment: string }];
      await query('INSERT INTO written VALUES (3)');
      const [{ segment }] = (await query('SELECT pg_walfile_name(pg_switch_wal()) AS segment')) as [
        { segment: string },
      ];
      const isArchived = async () =>
        (await query('SELECT last_archived_wal FROM pg_stat_archiver'))[0]!['last_archived_wal']! >= segment;
      while (!(await isArchived())) await pause(200);
      await runControl('stop', '-m', 'immediate');
      await rm(join(place, 'data'), { recursive: true });

      await runBackRest('restore', '--type=time', `--target=${moment}`, '--target-action=promote');
      await runControl('start');
      while ((await query('SELECT pg_is_in_recovery() AS busy'))[0]!['busy']) await pause(200);
      expect(await query('SELECT number FROM written ORDER BY number')).toEqual([
        { number: 1 },
        { number: 2 },
      ]);
      const doctor = runTessera(['cli', 'doctor'], { TESSERA_DATABASE_URL: getUrl() });
      await doctor.exited;
      expect(doctor.readOutput()).toContain('current schema');
    }, 300_000);
  },
);
