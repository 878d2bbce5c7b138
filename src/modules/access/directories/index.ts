export { addScimEndpoint, scimPaths } from './protocol/scim-endpoint.ts';
export { createUser } from './users/create-user.ts';
export { listUsers } from './users/list-users.ts';
export { patchUser } from './users/patch-user.ts';
export { readUser } from './users/read-user.ts';
export { removeUser } from './users/remove-user.ts';
export { replaceUser } from './users/replace-user.ts';
export { scim_path, scim_permission } from './wire.ts';
