export { configureSso } from './configure-sso.ts';
export { finishLogin } from './finish-login.ts';
export { forgetLogins } from './forget-logins.ts';
export { readConfiguration } from './read-configuration.ts';
export { readMetadata } from './read-metadata.ts';
export { startLogin } from './start-login.ts';
