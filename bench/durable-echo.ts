/**
 * The baseline of a durable HTTP service: a node:http JSON echo that appends every body to a log and answers after
 * fdatasync, with group commit. A program of its own; prints its port.
 *
 *   node durable-echo.js <log file> [express]
 */
import { createWriteStream, fdatasync, openSync, write } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';

const [, , file = '', kind] = process.argv;

function durable(): RequestListener {
  const fd = openSync(file, 'a');
  let waiting: { line: string; answer: () => void }[] = [];
  let busy = false;
  const flush = (): void => {
    if (busy || waiting.length === 0) return;
    busy = true;
    const batch = waiting;
    waiting = [];
    write(fd, batch.map((w) => w.line).join(''), () => {
      fdatasync(fd, () => {
        busy = false;
        for (const w of batch) w.answer();
        flush();
      });
    });
  };
  return (req, res) => {
    const chunks: Buffer[] = [];
    req
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const text = JSON.stringify(JSON.parse(Buffer.concat(chunks).toString()));
        waiting.push({
          line: `${text}\n`,
          answer: () => {
            res
              .writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) })
              .end(text);
          },
        });
        setImmediate(flush);
      });
  };
}

function expressEcho(): RequestListener {
  const app = express();
  app.use(express.json());
  app.post('/echo', (req, res) => {
    res.json(req.body);
  });
  return app as RequestListener;
}

const server = createServer(kind === 'express' ? expressEcho() : durable()).listen(0, '127.0.0.1', () => {
  createWriteStream('', { fd: 1 }).write(`${(server.address() as AddressInfo).port}\n`);
});
