import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { closedObject, nullable, timestamp, toReply } from '#platform/schema.ts';

const noteWire = closedObject({
  title: Type.String(),
  written_at: timestamp,
  read_at: nullable(timestamp),
  labels: Type.Array(Type.String()),
  length: Type.Optional(Type.Integer()),
});

const note = {
  title: 'Hello',
  written_at: new Date('2026-03-01T12:00:00Z'),
  read_at: null,
  labels: ['new'] as readonly string[],
  secret: 'never leaves',
};

test('a reply has the fields of its schema and no others, and its times are text', () => {
  const reply = { title: 'Hello', written_at: '2026-03-01T12:00:00.000Z', read_at: null, labels: ['new'] };
  expect(toReply(noteWire, note)).toEqual(reply);
  expect(Object.keys(toReply(noteWire, note))).toEqual(Object.keys(reply));
  expect(toReply(noteWire, { ...note, length: 5 })).toEqual({ ...reply, length: 5 });
});
