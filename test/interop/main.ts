import { runCommand } from '../../src/app/command.ts';
import { interopAdditions } from './additions.ts';

// Runs the service with the adapters for test suites (`npm run interop`). It reads the variables of `npm start`.
if (process.env['TESSERA_ENV'] === 'production') {
  process.stderr.write('tessera: the adapters for test suites are refused when TESSERA_ENV is production\n');
  process.exitCode = 1;
} else {
  process.exitCode = await runCommand(['serve', ...process.argv.slice(2)], process.env, interopAdditions);
}
