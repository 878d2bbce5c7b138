import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { cleanUpAfterFile } from './clean-up.ts';

/** How a name server replies: from its records, with the failure SERVFAIL, or not at all. */
type Mode = 'records' | 'failure' | 'silence';

export type TestNameServer = {
  /** The address and port, as `TESSERA_NAME_SERVERS` takes them. */
  readonly address: string;
  /** Name in lower case → the texts of its TXT records. */
  readonly texts: Map<string, readonly string[]>;
  /** The names that were asked for. */
  readonly asked: string[];
  mode: Mode;
};

/** Starts a DNS server (RFC 1035) on this machine that knows TXT records only. Closed after the test file. */
export async function startNameServer(): Promise<TestNameServer> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  cleanUpAfterFile(async () => void socket.close());
  const server: TestNameServer = {
    address: `127.0.0.1:${socket.address().port}`,
    texts: new Map(),
    asked: [],
    mode: 'records',
  };
  socket.on('message', (query, { port, address }) => {
    const { name, type, question } = readQuestion(query);
    server.asked.push(name);
    if (server.mode === 'silence') return;
    const texts = type === txt ? server.texts.get(name) : undefined;
    const code = server.mode === 'failure' ? 2 : server.texts.has(name) ? 0 : 3;
    socket.send(buildReply(query.readUInt16BE(0), { question, texts: texts ?? [], code }), port, address);
  });
  return server;
}

const txt = 16;
const header_bytes = 12;

function readQuestion(query: Buffer) {
  const labels: string[] = [];
  let at = header_bytes;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const end = at + 5;
  const name = labels.join('.').toLowerCase();
  return { name, type: query.readUInt16BE(at + 1), question: query.subarray(header_bytes, end) };
}

type Reply = { readonly question: Buffer; readonly texts: readonly string[]; readonly code: number };

function buildReply(id: number, { question, texts, code }: Reply): Buffer {
  const header = Buffer.alloc(header_bytes);
  header.writeUInt16BE(id, 0);
  // A reply, with recursion desired and available.
  header.writeUInt16BE(0x8180 | code, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(texts.length, 6);
  return Buffer.concat([header, question, ...texts.map(buildRecord)]);
}

function buildRecord(text: string): Buffer {
  const bytes = Buffer.from(text);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 255) {
    const piece = bytes.subarray(at, at + 255);
    pieces.push(Buffer.from([piece.length]), piece);
  }
  const data = Buffer.concat(pieces);
  const record = Buffer.alloc(header_bytes);
  // The name is a pointer to the question.
  record.writeUInt16BE(0xc00c, 0);
  record.writeUInt16BE(txt, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt16BE(data.length, 10);
  return Buffer.concat([record, data]);
}
