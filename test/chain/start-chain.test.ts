import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';

test('the chain of the tests ends with its test process, even if that is killed', async () => {
  const script = `import { startChain } from ${JSON.stringify(new URL('./start-chain.ts', import.meta.url).href)};
    const { url } = await startChain();
    console.log(url);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const url = line.toString().trim();
  const isUp = () =>
    fetch(url, { method: 'POST', body: '{}' }).then(
      () => true,
      () => false,
    );
  expect(await isUp()).toBe(true);
  child.kill('SIGKILL');
  await expect.poll(isUp).toBe(false);
});
