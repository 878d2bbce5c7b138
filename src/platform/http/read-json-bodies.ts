import fastify, { type FastifyInstance } from 'fastify';
import { isUtf8 } from 'node:buffer';
import { isNestedDeeperThan } from '#lib/json-depth.ts';
import { createFieldRefusal, Refusal } from '#lib/refusal.ts';
import { findUnstorableText } from '#lib/text/unstorable-text.ts';

const body_depth_max = 32;

/** Lets a server, or a part of it, read bodies of a media type as JSON. */
export function readBodiesAsJson(server: FastifyInstance, media_type: string): void {
  server.addContentTypeParser(media_type, { parseAs: 'buffer' }, (request, bytes, done) => {
    // RFC 8259 section 8.1. Node would silently put replacement characters into the text.
    if (!isUtf8(bytes as Buffer))
      return done(new Refusal('body_malformed', { detail: 'The body is not UTF-8.' }), undefined);
    const text = bytes.toString();
    if (text === '') return done(null, undefined);
    if (isNestedDeeperThan(body_depth_max, text)) return done(new Refusal('body_too_deep'), undefined);
    return parseJson(request, text, (error, body) => {
      if (error) return done(error, undefined);
      // Valid UTF-8 and JSON cannot contain such characters except as an escape.
      const pointer = text.includes('\\u') ? findUnstorableText(body) : undefined;
      return pointer === undefined
        ? done(null, body)
        : done(
            createFieldRefusal('field_invalid', pointer, 'must not contain a NUL or an unpaired surrogate'),
            undefined,
          );
    });
  });
}

/** The framework's own parser: it refuses `__proto__` and `constructor.prototype` keys. */
const parseJson = fastify().getDefaultJsonParser('error', 'error');
