import * as jose from 'jose';
import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { signJws } from './jws.ts';

const app = await startApp();

test.each(['ES256', 'RS256'] as const)(
  'a signature with %s verifies with another library',
  async (algorithm) => {
    const key = app.platform.keys.selectActive('access_token', algorithm);
    const payload = { sub: 'ada', text: 'ünïcödé “quotes” \u2028' };
    const token = signJws(key, { kid: key.kid, typ: 'test+jwt' }, payload);
    const verified = await jose.compactVerify(token, await jose.importJWK(key.publicJwk, algorithm));
    expect(verified.protectedHeader).toEqual({ alg: algorithm, kid: key.kid, typ: 'test+jwt' });
    expect(JSON.parse(new TextDecoder().decode(verified.payload))).toEqual(payload);
    const other = await jose.generateKeyPair(algorithm);
    await expect(jose.compactVerify(token, other.publicKey)).rejects.toThrow('signature verification failed');
  },
);
