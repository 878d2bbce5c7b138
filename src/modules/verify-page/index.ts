export { addVerifyPage } from './verify-page.ts';
