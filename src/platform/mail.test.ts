import fc from 'fast-check';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SMTPServer } from 'smtp-server';
import { afterEach, expect, test } from 'vitest';
import { openMailer, type Mail, type Mailer } from './mail.ts';

const mail: Mail = {
  to: 'ada@example.org',
  subject: 'Verify your e-mail',
  text: 'Open this link:\n\nhttp://localhost/verify?token=abc\n',
};
const from = 'Tessera <no-reply@tessera.example>';
const clock = { now: () => new Date('2026-11-21T09:27:00.123Z') };

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

type Received = { readonly headers: ReadonlyMap<string, string>; readonly text: string };

/** The parts of an RFC 5322 message that hold one text: unfolded headers by lower-case name, and the decoded body. */
function parsed(message: string): Received {
  const end = message.indexOf('\r\n\r\n');
  const lines = message
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = new Map(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  const body = message.slice(end + 4);
  const quoted = headers.get('content-transfer-encoding') === 'quoted-printable';
  return { headers, text: (quoted ? unquoted(body) : body).replaceAll('\r\n', '\n') };
}

function unquoted(body: string): string {
  const bytes = body
    .replaceAll('=\r\n', '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** The words of RFC 2047 in a header, decoded. */
function decoded(header: string | undefined): string | undefined {
  return header
    ?.replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi, (_, how: string, word: string) =>
      how.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString('utf8')
        : unquoted(word.replaceAll('_', ' ')),
    );
}

async function directory(): Promise<{ mailer: Mailer; mailDir: string; read: () => Promise<string[]> }> {
  const root = await mkdtemp(path.join(tmpdir(), 'tessera-mail-'));
  cleanups.push(() => rm(root, { recursive: true }));
  const mailDir = path.join(root, 'data', 'mail');
  const read = async () =>
    Promise.all(
      (await readdir(mailDir)).toSorted().map((name) => readFile(path.join(mailDir, name), 'utf8')),
    );
  return { mailer: openMailer({ smtpUrl: undefined, mailDir, from, clock }), mailDir, read };
}

/** A real SMTP server on loopback, and a mailer that sends to it. */
async function smtp(): Promise<{
  mailer: Mailer;
  envelopes: { from: string; to: string[] }[];
  messages: string[];
}> {
  const envelopes: { from: string; to: string[] }[] = [];
  const messages: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData: (stream, session, done) => {
      const { mailFrom, rcptTo } = session.envelope;
      envelopes.push({ from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address) });
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        messages.push(Buffer.concat(chunks).toString('utf8'));
        done();
      });
    },
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => new Promise<void>((resolve) => server.close(resolve)));
  return { mailer: mailerTo(server.server), envelopes, messages };
}

function mailerTo(server: Server): Mailer {
  const { port } = server.address() as AddressInfo;
  const mailer = openMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, mailDir: 'unused', from, clock });
  cleanups.push(() => mailer.close());
  return mailer;
}

test('without an SMTP server a mail becomes one .eml file with its fields, in CRLF lines', async () => {
  const { mailer, read } = await directory();
  await mailer.send(mail);
  const [message, ...more] = await read();
  expect(more).toEqual([]);
  expect(message).not.toMatch(/[^\r]\n/);
  const { headers, text } = parsed(message!);
  expect(headers.get('to')).toBe(mail.to);
  expect(headers.get('from')).toBe(from);
  expect(headers.get('subject')).toBe(mail.subject);
  expect(headers.get('date')).toBe('Sat, 21 Nov 2026 09:27:00 +0000');
  expect(headers.get('message-id')).toMatch(/^<[^<>@\s]+@tessera\.example>$/);
  expect(text).toBe(mail.text);
});

test('the mail directory and its files are for the owner only, and no unfinished file is left', async () => {
  const { mailer, mailDir } = await directory();
  await mailer.send(mail);
  const [name, ...more] = await readdir(mailDir);
  expect(more).toEqual([]);
  expect(name).toMatch(/^20261121T092700123Z-000001-[0-9a-f]{8}\.eml$/);
  expect((await stat(mailDir)).mode & 0o777).toBe(0o700);
  expect((await stat(path.join(mailDir, name!))).mode & 0o777).toBe(0o600);
});

test('files sort in the order of sending, also within one millisecond', async () => {
  const { mailer, read } = await directory();
  const subjects = Array.from({ length: 12 }, (_, index) => `mail ${index}`);
  await Promise.all(subjects.map((subject) => mailer.send({ ...mail, subject })));
  expect((await read()).map((message) => parsed(message).headers.get('subject'))).toEqual(subjects);
});

test('over SMTP the server receives the same message, in an envelope from us to the one recipient', async () => {
  const { mailer: toFile, read } = await directory();
  const { mailer, envelopes, messages } = await smtp();
  const unusual = {
    to: 'zoë@example.org',
    subject: 'Überraschung für Zoë 🎉',
    text: '.\n..\nÜber = 100 %\n',
  };
  for (const each of [mail, unusual]) {
    await toFile.send(each);
    await mailer.send(each);
  }
  const withoutId = (message: string) => message.replace(/^Message-ID: .*\r\n/m, '');
  expect(messages.map(withoutId)).toEqual((await read()).map(withoutId));
  expect(envelopes[0]).toEqual({ from: 'no-reply@tessera.example', to: ['ada@example.org'] });
  const received = parsed(messages[1]!);
  expect(decoded(received.headers.get('subject'))).toBe(unusual.subject);
  expect(received.text).toBe(unusual.text);
});

test('a line break in a subject begins no header, whatever follows it', async () => {
  const { mailer, read } = await directory();
  const breaks = ['\r\n', '\n', '\r', '\r\n\r\n', '\u0000\n', '\u2028', '\u0085', '\r\n '];
  const subjects = breaks.map((line) => `Job${line}Bcc: spy@example.org${line}X-Injected: yes`);
  await Promise.all(subjects.map((subject) => mailer.send({ ...mail, subject })));
  for (const message of await read()) {
    const { headers, text } = parsed(message);
    expect([...headers.keys()].filter((name) => name === 'bcc' || name === 'x-injected')).toEqual([]);
    expect(decoded(headers.get('subject'))).toContain('Bcc: spy@example.org');
    expect(text).toBe(mail.text);
  }
});

test('no subject at all adds a header or changes the body', async () => {
  const { mailer, read } = await directory();
  const subjects = fc.sample(
    fc.string({
      unit: fc.constantFrom('\r', '\n', ' ', '\t', ':', 'a', 'é', '=', '?', '\u0000'),
      maxLength: 120,
    }),
    60,
  );
  await Promise.all(subjects.map((subject) => mailer.send({ ...mail, subject })));
  const known = new Set([
    'from',
    'to',
    'subject',
    'message-id',
    'content-transfer-encoding',
    'date',
    'mime-version',
    'content-type',
  ]);
  for (const message of await read()) {
    const { headers, text } = parsed(message);
    expect([...headers.keys()].filter((name) => !known.has(name))).toEqual([]);
    expect(text).toBe(mail.text);
  }
});

test('a recipient that is not one plain address is refused before anything is sent', async () => {
  const { mailer } = await directory();
  const { mailer: overSmtp, envelopes } = await smtp();
  const wrong = [
    'ada@example.org\r\nBcc: spy@example.org',
    'ada@example.org\nRCPT TO:<spy@example.org>',
    'ada@example.org\r',
    'ada@example.org, spy@example.org',
    'ada@example.org; spy@example.org',
    'Ada <ada@example.org>',
    'team: ada@example.org;',
    '"ada x"@example.org',
    'ada@example.org>',
    'ada@b@example.org',
    'ada',
    '',
    `${'a'.repeat(250)}@b.co`,
  ];
  for (const to of wrong)
    for (const each of [mailer, overSmtp])
      await expect(each.send({ ...mail, to })).rejects.toThrow('one plain address');
  expect(envelopes).toEqual([]);
});

test('a server that is away or refuses makes the sending fail, for the task to try again', async () => {
  const refusing = createServer((socket) => void socket.end('554 no service\r\n'));
  await new Promise<void>((resolve) => void refusing.listen(0, '127.0.0.1', resolve));
  const mailer = mailerTo(refusing);
  await expect(mailer.send(mail)).rejects.toThrow(/554/);
  await new Promise((resolve) => refusing.close(resolve));
  await expect(mailer.send(mail)).rejects.toThrow(/ECONNREFUSED/);
});
