import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../test/support/free-port.ts'
import { pathOf } from '../../test/support/programs.ts'
import { type Server, startServer } from './processes.ts'

/** The header fields of a reply of the API, beside those that nginx itself writes. */
const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Housestyle-Revision': `1;snapshot="${'0'.repeat(64)}"`,
  'Cache-Control': 'private, no-cache',
  Vary: 'Authorization, Accept-Encoding',
  'RateLimit-Policy': '"workspace";q=600;w=60',
  RateLimit: '"workspace";r=599;t=60',
  'X-Request-Id': 'k3Jx9_Qa-1f',
}

/** An nginx that answers every request with one file of 1,900 bytes, checks nothing, and writes no log. */
export async function startNginx(parent: string): Promise<Server> {
  const folder = join(parent, 'nginx')
  mkdirSync(folder)
  writeFileSync(join(folder, 'reply.json'), 'x'.repeat(1900))
  const port = await freePort()
  const fields = Object.entries(HEADERS).map(([name, value]) => `add_header ${name} '${value}';`)
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
  types { application/json json; }
  server {
    listen 127.0.0.1:${port};
    root ${folder};
    ${fields.join('\n    ')}
    location / { rewrite ^ /reply.json break; }
  }
}
`,
  )
  const args = ['-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')]
  return startServer(`http://127.0.0.1:${port}`, pathOf('nginx') ?? 'nginx', ...args)
}
