import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { type Certificate, secureServer } from './certificate.ts'
import { answerFromGit } from './git-backend.ts'
import { type Repository, startGitServer } from './git-server.ts'
import { localServer } from './local-server.ts'

type Batch = { operation: string; transfers: string[]; hash_algo: string; objects: { oid: string; size: number }[] }
type Asked = { headers: IncomingHttpHeaders; path: string }

/** A git host on this machine with the batch interface of Git LFS, which knows the objects that it is given. */
export type LfsServer = {
  url: string
  /** Its objects by oid: their bytes, or another answer of the batch interface. */
  objects: Map<string, Uint8Array | object>
  batches: (Asked & { batch: Batch })[]
  downloads: Asked[]
  /** The fields of the actions. */
  header: Record<string, string>
  /** The server of the actions; by default this one. */
  origin: string
  /** Answers the batch interface with this status and message instead. */
  refusal: { status: number; message: string } | undefined
  make: (name: string) => Promise<Repository>
}

/** Starts a host, which stops with the tests; with a certificate it has https. */
export async function startLfsServer(certificate?: Certificate): Promise<LfsServer> {
  const git = await startGitServer()
  const answer: RequestListener = async (request, response) => {
    const { headers, url: path = '' } = request
    const [, name = '', oid] = /^\/objects\/(\w+)$/.exec(path) ? ['', '', path.slice('/objects/'.length)] : ['']
    if (/\.git\/info\/lfs\/objects\/batch$/.test(path)) {
      const batch: Batch = JSON.parse(await text(request))
      server.batches.push({ headers, path, batch })
      const { refusal } = server
      response.writeHead(refusal?.status ?? 200, { 'content-type': 'application/vnd.git-lfs+json' })
      response.end(JSON.stringify(refusal ?? { transfer: 'basic', objects: batch.objects.map(answerOf) }))
    } else if (oid !== undefined && name === '') {
      server.downloads.push({ headers, path })
      const found = server.objects.get(oid)
      if (found instanceof Uint8Array) response.end(found)
      else response.writeHead(404).end()
    } else answerFromGit(git.folder, request, response)
  }
  const url = certificate
    ? `https://127.0.0.1:${await secureServer(certificate, answer)}`
    : (await localServer(answer)).url
  const answerOf = ({ oid, size }: { oid: string; size: number }) => {
    const found = server.objects.get(oid)
    if (found === undefined) return { oid, size, error: { code: 404, message: 'Object does not exist' } }
    if (!(found instanceof Uint8Array)) return { oid, size, ...found }
    return { oid, size, actions: { download: { href: `${server.origin}/objects/${oid}`, header: server.header } } }
  }
  const server: LfsServer = {
    url,
    objects: new Map(),
    batches: [],
    downloads: [],
    header: {},
    origin: url,
    refusal: undefined,
    make: async name => ({ ...(await git.make(name)), url: `${url}/${name}` }),
  }
  return server
}

export function oidOf(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** The pointer of a file, by the specification of Git LFS. */
export function pointerOf(bytes: string | Uint8Array, size = Buffer.byteLength(bytes)): string {
  return `version https://git-lfs.github.com/spec/v1\noid sha256:${oidOf(bytes)}\nsize ${size}\n`
}
