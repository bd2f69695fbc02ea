import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../test/support/free-port.ts'
import { pathOf } from '../../test/support/programs.ts'
import { type Server, startServer } from './processes.ts'
import type { Reply } from './reply.ts'

/**
 * An nginx that has an address for each reply, where it answers every request with the same bytes and header fields
 * from a file, checks nothing, and writes no log.
 */
export async function startNginx(
  parent: string,
  replies: readonly Reply[],
): Promise<{ server: Server; urls: readonly string[] }> {
  const folder = join(parent, 'nginx')
  mkdirSync(folder)
  const ports = await Promise.all(replies.map(freePort))
  replies.forEach(({ body }, at) => {
    writeFileSync(join(folder, String(at)), body)
  })
  writeFileSync(
    join(folder, 'nginx.conf'),
    `${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
daemon off;
pid ${folder}/pid;
events { worker_connections 1024; }
http {
  access_log off;
  keepalive_requests 1000000000;
  open_file_cache max=10;
  etag off;
  max_ranges 0;
  ${replies.map((reply, at) => place(reply, folder, ports[at] ?? 0, at)).join('\n  ')}
}
`,
  )
  const args = ['-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')]
  const urls = ports.map(port => `http://127.0.0.1:${port}`)
  const server = await startServer({ url: urls[0] ?? '', program: pathOf('nginx') ?? 'nginx', args })
  return { server, urls }
}

/** Without a value of its own, `Last-Modified` is left out, as in the reply. */
function place({ fields }: Reply, folder: string, port: number, at: number): string {
  const { 'content-type': type = 'text/plain', ...others } = Object.fromEntries(fields)
  const lines = Object.entries({ 'last-modified': '', ...others }).map(
    ([name, value]) => `add_header ${name} ${quoted(value)};`,
  )
  return `server {
    listen 127.0.0.1:${port};
    root ${folder};
    default_type ${quoted(type)};
    ${lines.join('\n    ')}
    location / { rewrite ^ /${at} break; }
  }`
}

function quoted(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
