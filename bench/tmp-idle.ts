import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { usageOf } from './lib/child.ts';
import { temporaryDirectory } from './lib/directory.ts';
import { startService } from './lib/service.ts';
await using cleaning = new AsyncDisposableStack();
const service = await startService(cleaning, path.join(await temporaryDirectory(cleaning), 'data'));
for (let i = 0; i < 10; i++) {
  const a = await usageOf(service.child);
  await pause(1000);
  const b = await usageOf(service.child);
  console.log('idle cpu ms/s', (b.cpu_us - a.cpu_us) / 1000, 'rss', b.rss / 2 ** 20);
}
