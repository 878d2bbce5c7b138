export { giveCredentialOptions, serveGivenCredential, serveGivingPage } from './give-credential.ts';
export { serveVerifyPage, serveVerifyPdf } from './verify-page.ts';
