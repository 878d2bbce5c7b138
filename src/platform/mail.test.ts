import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { SMTPServer } from 'smtp-server';
import { afterEach, expect, test } from 'vitest';
import { countMails, openMailer, type Mail, type Mailer } from './mail.ts';

const mail: Mail = {
  to: 'ada@example.org',
  subject: 'Verify your email',
  text: 'Open this link:\n\nhttp://localhost/verify?token=abc\n',
  html: '<p>Open <a href="http://localhost/verify?token=abc">this link</a></p>\n',
};
const from = 'Tessera <no-reply@tessera.example>';
const clock = { now: () => new Date('2026-11-21T09:27:00.123Z') };

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

type Part = { readonly headers: ReadonlyMap<string, string>; readonly text: string };

/** Parses an RFC 5322 message: unfolded headers by lower-case name, and the decoded text and HTML. */
function parseMessage(message: string): Part & { readonly html: string } {
  const { headers, text: body } = parsePart(message);
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')![1]!;
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => parsePart(part.trim().replaceAll('\n', '\r\n')).text + '\n');
  expect(parts).toHaveLength(2);
  return { headers, text: parts[0]!, html: parts[1]! };
}

function parsePart(message: string): Part {
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
  return { headers, text: (quoted ? decodeQuotedPrintable(body) : body).replaceAll('\r\n', '\n') };
}

function decodeQuotedPrintable(body: string): string {
  const bytes = body
    .replaceAll('=\r\n', '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** Decodes the encoded words (RFC 2047) of a header. */
function decodeHeader(header: string | undefined): string | undefined {
  return header
    ?.replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi, (_, encoding: string, word: string) =>
      encoding.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString('utf8')
        : decodeQuotedPrintable(word.replaceAll('_', ' ')),
    );
}

async function openDirectoryMailer(): Promise<{
  mailer: Mailer;
  mailDir: string;
  readMails: () => Promise<string[]>;
}> {
  const root = await mkdtemp(path.join(tmpdir(), 'tessera-mail-'));
  cleanups.push(() => rm(root, { recursive: true }));
  const mailDir = path.join(root, 'data', 'mail');
  const readMails = async () =>
    Promise.all(
      (await readdir(mailDir)).toSorted().map((name) => readFile(path.join(mailDir, name), 'utf8')),
    );
  return { mailer: openMailer({ smtpUrl: undefined, mailDir, from, clock }), mailDir, readMails };
}

/** Starts a real SMTP server on loopback, and a mailer that sends to it. */
async function startSmtpServer(): Promise<{
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
  return { mailer: openSmtpMailer(server.server), envelopes, messages };
}

function openSmtpMailer(server: Server): Mailer {
  const { port } = server.address() as AddressInfo;
  const mailer = openMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, mailDir: 'unused', from, clock });
  cleanups.push(() => mailer.close());
  return mailer;
}

test('without an SMTP server, writes an email as one .eml file with its fields and CRLF line endings', async () => {
  const { mailer, readMails } = await openDirectoryMailer();
  await mailer.send(mail);
  const [message, ...more] = await readMails();
  expect(more).toEqual([]);
  expect(message).not.toMatch(/[^\r]\n/);
  const { headers, text, html } = parseMessage(message!);
  expect(headers.get('to')).toBe(mail.to);
  expect(headers.get('from')).toBe(from);
  expect(headers.get('subject')).toBe(mail.subject);
  expect(headers.get('date')).toBe('Sat, 21 Nov 2026 09:27:00 +0000');
  expect(headers.get('message-id')).toMatch(/^<[^<>@\s]+@tessera\.example>$/);
  expect(text).toBe(mail.text);
  expect(html).toBe(mail.html);
});

test('gives access to the email directory and its files only to the owner, and leaves no unfinished file', async () => {
  const { mailer, mailDir } = await openDirectoryMailer();
  await mailer.send(mail);
  const [name, ...more] = await readdir(mailDir);
  expect(more).toEqual([]);
  expect(name).toMatch(/^20261121T092700123Z-000001-[0-9a-f]{8}\.eml$/);
  expect((await stat(mailDir)).mode & 0o777).toBe(0o700);
  expect((await stat(path.join(mailDir, name!))).mode & 0o777).toBe(0o600);
});

test('names files so that they sort in the order of sending, even within one millisecond', async () => {
  const { mailer, readMails } = await openDirectoryMailer();
  const subjects = Array.from({ length: 12 }, (_, index) => `mail ${index}`);
  await Promise.all(subjects.map((subject) => mailer.send({ ...mail, subject })));
  expect((await readMails()).map((message) => parseMessage(message).headers.get('subject'))).toEqual(
    subjects,
  );
});

test('sends the same message over SMTP, in an envelope from the service to the one recipient', async () => {
  const { mailer: toFile, readMails } = await openDirectoryMailer();
  const { mailer, envelopes, messages } = await startSmtpServer();
  const unusual = {
    to: 'zoë@example.org',
    subject: 'Überraschung für Zoë 🎉',
    text: '.\n..\nÜber = 100 %\n',
    html: '<p>Über = 100 %</p>\n',
  };
  for (const each of [mail, unusual]) {
    await toFile.send(each);
    await mailer.send(each);
  }
  const removeIds = (message: string) =>
    message.replace(/^Message-ID: .*\r\n/m, '').replace(/_NmP-[0-9a-f]+/g, '');
  expect(messages.map(removeIds)).toEqual((await readMails()).map(removeIds));
  expect(envelopes[0]).toEqual({ from: 'no-reply@tessera.example', to: ['ada@example.org'] });
  const received = parseMessage(messages[1]!);
  expect(decodeHeader(received.headers.get('subject'))).toBe(unusual.subject);
  expect(received.text).toBe(unusual.text);
  expect(received.html).toBe(unusual.html);
});

test('a line break in a subject does not start a header', async () => {
  const { mailer, readMails } = await openDirectoryMailer();
  const breaks = ['\r\n', '\n', '\r', '\r\n\r\n', '\u0000\n', '\u2028', '\u0085', '\r\n '];
  const subjects = breaks.map((line) => `Job${line}Bcc: spy@example.org${line}X-Injected: yes`);
  await Promise.all(subjects.map((subject) => mailer.send({ ...mail, subject })));
  for (const message of await readMails()) {
    const { headers, text } = parseMessage(message);
    expect([...headers.keys()].filter((name) => name === 'bcc' || name === 'x-injected')).toEqual([]);
    expect(decodeHeader(headers.get('subject'))).toContain('Bcc: spy@example.org');
    expect(text).toBe(mail.text);
  }
});

test('no subject adds a header or changes the body', async () => {
  const { mailer, readMails } = await openDirectoryMailer();
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
  for (const message of await readMails()) {
    const { headers, text } = parseMessage(message);
    expect([...headers.keys()].filter((name) => !known.has(name))).toEqual([]);
    expect(text).toBe(mail.text);
  }
});

test('refuses a recipient that is not one plain address before anything is sent', async () => {
  const { mailer } = await openDirectoryMailer();
  const { mailer: overSmtp, envelopes } = await startSmtpServer();
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

test('sending fails if the server is unavailable or refuses, so that the task tries again', async () => {
  const refusing = createServer((socket) => void socket.end('554 no service\r\n'));
  await new Promise<void>((resolve) => void refusing.listen(0, '127.0.0.1', resolve));
  const mailer = openSmtpMailer(refusing);
  await expect(mailer.send(mail)).rejects.toThrow(/554/);
  await new Promise((resolve) => refusing.close(resolve));
  await expect(mailer.send(mail)).rejects.toThrow(/ECONNREFUSED/);
});

test('a counted mailer counts each mail once, sent or failed, and passes the failure on', async () => {
  const { mailer } = await openDirectoryMailer();
  const outcomes: string[] = [];
  const counted = countMails(mailer, (outcome) => outcomes.push(outcome));
  await counted.send(mail);
  await expect(counted.send({ ...mail, to: 'two@example.org, three@example.org' })).rejects.toThrow(
    'one plain address',
  );
  expect(outcomes).toEqual(['sent', 'failed']);
});
