// Plain JavaScript without import declarations: an older Node parses this file too, and prints one clear line instead of a stack trace.
if (Number(process.version.slice(1).split('.')[0]) < 24) {
  process.stderr.write(
    `tessera: needs Node 24 or newer, but this is ${process.version}; on Linux, "npm ci && npm start" uses its own Node 24\n`,
  );
  process.exitCode = 1;
} else {
  void start();
}

async function start() {
  const { enableCompileCache } = await import('node:module');
  // Stripped types and compiled code are stored for the next start, in our own folder: other users could tamper with a shared one.
  enableCompileCache(`${import.meta.dirname}/../../node_modules/.cache/node-compile`);
  const { runCommand } = await import('./command.ts');
  process.exitCode = await runCommand(process.argv.slice(2), process.env);
}
