import { describe, expect, test } from 'vitest';
import type { ShortlistedMatch } from '#modules/matching/matches';
import { formatMatchesCsv } from './format-matches.ts';
import { writeMatchesWorkbook } from './write-workbook.ts';

type Pages = AsyncIterable<readonly ShortlistedMatch[]>;

const formats: Readonly<Record<string, (pages: Pages) => AsyncGenerator<string | Uint8Array, void>>> = {
  CSV: formatMatchesCsv,
  workbook: writeMatchesWorkbook,
};

const match: ShortlistedMatch = {
  id: '0b5a6d4e-8f21-8c3a-9d70-1f2e3d4c5b6a',
  member_id: '0b5a6d4e-8f21-8aa0-b1c2-d3e4f5061728',
  job_id: '0b5a6d4e-8f21-8c3a-8000-000000000000',
  job_title: 'Archivist',
  match_quality: 'strong',
  match_status: 'pending_review',
  provisional: false,
  computed_at: new Date('2026-03-02'),
  note: null,
  labels: [],
};

describe.each(Object.entries(formats))('a %s', (_name, write) => {
  test('that cannot be read has no first part, so that the reply is an error and not a broken file', async () => {
    // oxlint-disable-next-line eslint/require-yield
    async function* fail(): AsyncGenerator<readonly ShortlistedMatch[], void> {
      await Promise.reject(new Error('the database is busy'));
    }
    await expect(write(fail()).next()).rejects.toThrow('the database is busy');
  });

  test('that is abandoned after any part gives back what it reads from', async () => {
    for (const parts of [1, 2, 3]) {
      let isOpen = true;
      async function* listPages() {
        try {
          for (let page = 0; page < 50; page++) yield Array.from({ length: 5_000 }, () => match);
        } finally {
          isOpen = false;
        }
      }
      const written = write(listPages());
      for (let part = 0; part < parts; part++) expect((await written.next()).done).toBe(false);
      expect(isOpen).toBe(true);
      await written.return();
      expect([parts, isOpen]).toEqual([parts, false]);
    }
  });

  test('without matches has its header', async () => {
    async function* listNothing(): AsyncGenerator<readonly ShortlistedMatch[], void> {}
    const { value, done } = await write(listNothing()).next();
    expect([done, value!.length > 0]).toEqual([false, true]);
  });
});
