export { authenticateServiceKey, hasServiceKey } from './authenticate-service-key.ts';
export { createServiceKey } from './create-service-key.ts';
export { forgetServiceKeys } from './forget-service-keys.ts';
export { listServiceKeys } from './list-service-keys.ts';
export { listPermissibleRows } from './rules.ts';
export { reportServiceKey } from './report-service-key.ts';
export { revokeKeysOfUser } from './revoke-keys-of-user.ts';
export { revokeServiceKey } from './revoke-service-key.ts';
export { rotateServiceKey } from './rotate-service-key.ts';
