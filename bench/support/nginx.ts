import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../test/support/free-port.ts'
import { pathOf } from '../../test/support/programs.ts'
import type { Bench } from './bench.ts'
import { type Server, startServer } from './processes.ts'
import { type Reply, replyTo } from './reply.ts'
import type { Request } from './requests.ts'

/** The codings of a reply, and the ending of their files. */
const FORMS = [
  { coding: '', ending: '' },
  { coding: 'gzip', ending: '.gz' },
  { coding: 'br', ending: '.br' },
]

/**
 * Starts an nginx that answers requests for a service from files, with the same bytes and header fields. It makes its own
 * entity tags, checks nothing else and writes no log.
 */
export async function startNginx(bench: Bench, service: string, requests: readonly Request[]): Promise<Server> {
  const folder = join(bench.folder, 'nginx')
  mkdirSync(folder)
  const port = await freePort()
  const paths = new Map(requests.map(request => [request.path, request]))
  const locations: string[] = []
  for (const request of paths.values()) locations.push(await location(folder, service, request, locations.length))
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
  open_file_cache max=1000;
  max_ranges 0;
  map $http_accept_encoding $ending { default ''; ~br .br; ~gzip .gz; }
  map $ending $coding { default ''; .br br; .gz gzip; }
  server {
    listen 127.0.0.1:${port};
    root ${folder};
    location = / { return 204; }
    ${locations.join('\n    ')}
  }
}
`,
  )
  const args = ['-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')]
  return startServer(bench, `http://127.0.0.1:${port}`, [pathOf('nginx') ?? 'nginx', ...args])
}

/** Writes the service's replies to files. Returns the configuration that serves them. */
async function location(folder: string, service: string, { path, headers }: Request, at: number): Promise<string> {
  const asked = Object.entries(headers).filter(([name]) => !/^(?:accept-encoding|if-none-match)$/i.test(name))
  let reply: Reply | undefined
  let isCompressed = false
  for (const { coding, ending } of FORMS) {
    const form = await replyTo(service + path, { ...Object.fromEntries(asked), 'Accept-Encoding': coding })
    writeFileSync(join(folder, `${at}${ending}`), form.body)
    reply ??= form
    isCompressed = form.fields.has('content-encoding')
  }
  const { 'content-type': type = 'text/plain', etag, ...others } = Object.fromEntries(reply?.fields ?? [])
  // An empty value removes `Last-Modified`, which the service does not send.
  const lines = Object.entries({ 'last-modified': '', ...others }).map(
    ([name, value]) => `add_header ${name} ${quote(value)};`,
  )
  return `location = ${path} {
      alias ${folder}/${at}${isCompressed ? '$ending' : ''};
      default_type ${quote(type)};
      ${lines.join('\n      ')}
      ${isCompressed ? 'add_header content-encoding $coding;' : ''}
    }`
}

function quote(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
