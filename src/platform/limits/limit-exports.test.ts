import { beforeEach, expect, test } from 'vitest';
import { openMemory } from '#platform/instance-memory.ts';
import type { Memory, Platform } from '#platform/platform.ts';
import { limitExports, limitRendering, requireExportPlace } from './limit-exports.ts';

let memory: Memory;
beforeEach(() => {
  memory = openMemory(() => ({}) as Platform);
});

function createContext(user_id: string, role: 'auditor' | 'member' = 'auditor') {
  return { memory, caller: { user_id, role } };
}

async function* produceParts(): AsyncGenerator<number, void> {
  for (let part = 1; ; part++) yield await Promise.resolve(part);
}

/** Begins an export, and reads its first part. */
async function startExport(user_id: string) {
  const parts = limitExports(createContext(user_id), produceParts);
  await parts.next();
  return parts;
}

test('a user has two exports at once, and a third when one of them has ended', async () => {
  const first = await startExport('ada');
  await startExport('ada');
  await expect(startExport('ada')).rejects.toMatchObject({
    code: 'too_many_exports',
    status: 429,
    extras: { headers: { 'retry-after': '5' } },
  });
  expect(() => requireExportPlace(createContext('ada'))).toThrow('two downloads');
  expect(() => requireExportPlace(createContext('ben'))).not.toThrow('two downloads');
  await first.return();
  await startExport('ada');
});

test('a process has four exports at once', async () => {
  const running = [];
  for (const user_id of ['ada', 'ben', 'cleo', 'dan']) running.push(await startExport(user_id));
  await expect(startExport('eva')).rejects.toMatchObject({ code: 'overloaded', status: 503 });
  for (const parts of running) await parts.return();
  await startExport('eva');
});

test('members have four places of their own, which exports of organisations do not take', async () => {
  for (const user_id of ['ada', 'ben', 'cleo', 'dan']) await startExport(user_id);
  const rendered = Promise.withResolvers<string>();
  const render = (user_id: string) =>
    limitRendering(createContext(user_id, 'member'), () => rendered.promise);
  const running = ['kim', 'kim', 'lee', 'mia'].map(render);
  await expect(render('kim')).rejects.toMatchObject({ code: 'too_many_exports' });
  await expect(render('noa')).rejects.toMatchObject({ code: 'overloaded' });
  rendered.resolve('a copy');
  expect(await Promise.all(running)).toEqual(['a copy', 'a copy', 'a copy', 'a copy']);
  expect(await render('noa')).toBe('a copy');
});

test('an export that fails gives its place back', async () => {
  for (let attempt = 0; attempt < 5; attempt++) {
    const parts = limitExports(createContext('ada'), async function* () {
      yield 1;
      yield await Promise.reject<number>(new Error('the database is gone'));
    });
    await parts.next();
    await expect(parts.next()).rejects.toThrow('the database is gone');
  }
});

test('a document that is rendered has a place until it is finished, or has failed', async () => {
  const rendered = Promise.withResolvers<string>();
  const first = limitRendering(createContext('ada'), () => rendered.promise);
  const failing = limitRendering(createContext('ada'), async () => {
    await rendered.promise;
    throw new Error('no font');
  });
  await expect(limitRendering(createContext('ada'), async () => 'third')).rejects.toMatchObject({
    code: 'too_many_exports',
  });
  rendered.resolve('a document');
  expect(await first).toBe('a document');
  await expect(failing).rejects.toThrow('no font');
  expect(await limitRendering(createContext('ada'), async () => 'third')).toBe('third');
});
