import { expect, inject, test } from 'vitest';
import { openClient } from '#platform/database/connections.ts';

test.skipIf(process.env['TESSERA_TEST_DATABASE_URL'] !== undefined)(
  'the embedded server compresses the pages that it logs as a whole',
  async () => {
    const client = await openClient(inject('server'));
    const { rows } = await client.query('show wal_compression');
    await client.end();
    expect(rows).toEqual([{ wal_compression: 'pglz' }]);
  },
);
