import { randomBytes } from 'node:crypto';
import type { Services } from '#platform/platform.ts';

/** Generates the code of a test: 128 random bits. Anyone who has it can read the result, and delete the answers. */
export function generateCode(): string {
  return randomBytes(16).toString('base64url');
}

/** Hashes a code, because the database must not let anyone read a result. */
export function hashCode({ secrets }: Pick<Services, 'secrets'>, code: string): Buffer {
  return secrets.computeHmac('volunteer-code', code);
}
