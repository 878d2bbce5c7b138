import { readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { findFreePort } from '#test/free-port.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { createFileWriter, quiet } from '#test/modules/banks.ts';
import {
  exportBank,
  importBank,
  calibrateItems,
  scoreAnswers,
  useParameters,
} from '#modules/measurement/traits';
import { cleanUpAfterFile } from '../clean-up.ts';
import { verifyEmail } from '../modules/credentials.ts';
import { password } from '../users.ts';
import { canBrowse, openBrowser } from '../web/open-browser.ts';

const shared = process.env['BENCH_DATA'] ?? path.join(import.meta.dirname, '../../../shared/data');
const [items, answers] = ['spi-items.csv', 'spi-calibration.csv'].map((name) =>
  path.join(shared, 'spi', name),
);

/** The scales that are nearest to some of our traits; a minus sign means that the scale runs the other way. */
const map = `scale,trait,sign
Order,structure_preference,+
Industry,persistence,+
Compassion,empathic_attunement,+
Honesty,sincerity,+
Anxiety,pressure_response,-
`;
const mapped = new Set([
  'structure_preference',
  'persistence',
  'empathic_attunement',
  'sincerity',
  'pressure_response',
]);

const respondents = 120;

describe.runIf(existsSync(items!))('a public bank of 135 statements', () => {
  let app: TestApp;
  let url: string;
  let version: string;
  let write: Awaited<ReturnType<typeof createFileWriter>>;
  beforeAll(async () => {
    write = await createFileWriter();
    const port = await findFreePort();
    url = `http://localhost:${port}`;
    app = await startApp({ TESSERA_PUBLIC_URL: url, TESSERA_PORT: String(port) });
  });

  it('is imported, calibrated and scored, and scores the same on a second installation', async () => {
    const rows: readonly Readonly<Record<string, string>>[] = parse(await readFile(items!), {
      columns: true,
    });
    const bank = rows.map(({ item_id, scale, sign, text }) => ({
      item_id,
      scale,
      sign,
      options: 6,
      'text:en': text,
    }));
    const file = await write('spi.csv', stringify(bank, { header: true }));
    expect(await importBank(app.platform, { file, name: 'spi' })).toMatchObject({ items: 135, scales: 27 });
    const lines = (await readFile(answers!, 'utf8')).trim().split('\n');
    const csv = await write('answers.csv', lines.slice(0, respondents + 1).join('\n'));
    const calibrated = await calibrateItems(app.platform, { csv, bank: 'spi' }, quiet);
    expect(calibrated).toMatchObject({ respondents, provisional: true });
    expect(calibrated.traits.every(({ converged }) => converged)).toBe(true);
    version = calibrated.version!;

    const exported = await exportBank(app.platform, { bank: 'spi', version });
    const other = await startApp();
    const json = await write('export.json', JSON.stringify(exported));
    expect(await importBank(other.platform, { file: json, name: 'spi' })).toMatchObject({ version });
    const few = await write('others.csv', [lines[0], ...lines.slice(-10)].join('\n'));
    const [here, there] = [await listScores(app, few), await listScores(other, few)];
    expect(here).toHaveLength(10);
    for (const [index, { traits }] of here.entries())
      for (const [slot, { mean, sd }] of traits.entries()) {
        expect(Math.abs(there[index]!.traits[slot]!.mean - mean)).toBeLessThan(1e-9);
        expect(Math.abs(there[index]!.traits[slot]!.sd - sd)).toBeLessThan(1e-9);
      }
  });

  async function listScores({ platform }: TestApp, csv: string) {
    const scores = [];
    for await (const each of scoreAnswers(platform, { bank: 'spi', version, csv }, quiet)) scores.push(each);
    return scores;
  }

  it.runIf(canBrowse)(
    'is put into use by a map, and a member is assessed with it in the browser',
    async () => {
      await useParameters(app.platform, { bank: 'spi', version, map: await write('map.csv', map) });
      await app.drainQueue();
      await app.server.listen({ port: Number(new URL(url).port), host: '127.0.0.1' });
      const browser = await openBrowser();
      cleanUpAfterFile(() => browser.close());
      const member = await app.registerMember({ name: 'Ada Lind' });
      await app.sql.run(sql`update users set email_verified_at = created_at where id = ${member.user_id}`);
      await verifyEmail(app, member.member_id);
      const page = await browser.newPage();
      await page.goto(`${url}/sign-in`);
      await page.getByLabel('Email address').fill(member.email);
      await page.getByLabel('Password').fill(password);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Hello, Ada Lind' }).waitFor();
      await page.getByText('Begin', { exact: true }).click();
      await page.getByText('I agree, let us begin').click();
      await page.getByText('0 of about 25').waitFor();
      const { items: asked } = await exportBank(app.platform, { bank: 'spi', version });
      const signs = new Map(asked.map(({ text, sign }) => [text['en'], sign]));
      const texts = new Set<string>();
      const ended = page.getByText('Read your results');
      // It ends when each trait is known well enough, at the latest when the 25 statements of the five scales are used up.
      for (let answered = 0; !(await ended.isVisible()); answered++) {
        const text = await page.locator('h1').innerText();
        texts.add(text);
        const answer = signs.get(text) === '-' ? 'Slightly disagree' : 'Slightly agree';
        await page.getByRole('button', { name: answer, exact: true }).click();
        await page
          .getByText(`${answered + 1} of about 25`)
          .or(ended)
          .first()
          .waitFor();
        expect(texts.size).toBe(answered + 1);
      }
      expect(texts.size).toBeGreaterThanOrEqual(mapped.size * 3);
      expect([...texts].filter((text) => !signs.has(text))).toEqual([]);

      const { body } = await app.request('GET', '/members/me/traits', { token: member.token });
      const traits = body.traits as readonly { trait_name: string; confidence: number; certainty: string }[];
      const isAsExpected = ({ trait_name, confidence, certainty }: (typeof traits)[number]) =>
        mapped.has(trait_name) ? confidence > 0.05 : confidence === 0 && certainty === 'open';
      expect(traits.filter((trait) => !isAsExpected(trait))).toEqual([]);
    },
  );
});
