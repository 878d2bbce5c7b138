export { buildServiceProvider } from './rules.ts';
export { configureSso } from './configuration/configure-sso.ts';
export { finishLogin } from './login/finish-login.ts';
export { forgetLogins } from './login/forget-logins.ts';
export { readConfiguration } from './configuration/read-configuration.ts';
export { readMetadata } from './configuration/read-metadata.ts';
export { startLogin } from './login/start-login.ts';
export { verifyDomain } from './configuration/verify-domain.ts';
