export { serveVerifyBadge, serveVerifyPage, serveVerifyPdf } from './verify-page.ts';
