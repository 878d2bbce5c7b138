import { enableCompileCache } from 'node:module';
import path from 'node:path';
import { isNodeVersionSupported } from './node-version.ts';

// The rest is imported only now: an older Node would stop at syntax that it does not know, with a riddle for a message.
if (isNodeVersionSupported(process.version)) {
  // Stripped types and compiled code are kept for the next start, in our own folder: a shared one could be poisoned by somebody else.
  enableCompileCache(path.join(import.meta.dirname, '../node_modules/.cache/node-compile'));
  const { runCommand } = await import('./command.ts');
  process.exitCode = await runCommand(process.argv.slice(2), process.env);
} else {
  process.stderr.write(
    `tessera: needs Node 24 or newer, and this is ${process.version}; "npm start" brings its own\n`,
  );
  process.exitCode = 1;
}
