export { addVcApi } from './vc-api.ts';
