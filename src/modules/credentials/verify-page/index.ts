export { serveVerifyPage, serveVerifyPdf } from './verify-page.ts';
