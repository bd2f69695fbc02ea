import { spawn } from 'node:child_process'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** Answers a request from the bare repositories in a folder with `git http-backend`, by the rules of CGI (RFC 3875). */
export function answerFromGit(folder: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? '', 'http://git.test')
  const backend = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: `${request.headers['git-protocol'] ?? ''}`,
      REMOTE_ADDR: '127.0.0.1',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  backend.stdin.on('error', () => undefined)
  request.pipe(backend.stdin)
  response.on('close', () => backend.kill())
  let head: Buffer | undefined = Buffer.alloc(0)
  backend.stdout.on('data', (piece: Buffer) => {
    if (!head) {
      response.write(piece)
      return
    }
    head = Buffer.concat([head, piece])
    const end = head.indexOf('\r\n\r\n')
    if (end === -1) return
    const lines = head.subarray(0, end).toString().split('\r\n')
    const fields = new Map(lines.map(line => [line.replace(/:.*/, ''), line.replace(/^[^:]*: */, '')]))
    const status = Number.parseInt(fields.get('Status') ?? '200', 10)
    fields.delete('Status')
    response.writeHead(status, Object.fromEntries(fields))
    response.write(head.subarray(end + 4))
    head = undefined
  })
  backend.on('close', () => response.end())
}
