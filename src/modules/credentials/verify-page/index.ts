export { giveCredentialOptions, serveGivenCredential, serveGivingPage } from './give-credential.ts';
export { serveVerifyBadge, serveVerifyPage, serveVerifyPdf } from './verify-page.ts';
