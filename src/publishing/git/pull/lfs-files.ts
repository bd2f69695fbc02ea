import { createHash } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import type { AbsentFile } from '#brand/finding.ts'
import { parseLfsPointer } from '#brand/lfs-pointer.ts'
import { parseHash } from '#brand/snapshot.ts'
import { errorMessage, OperationalError } from '#platform/base/error.ts'
import { field, parsedJson } from '#platform/base/object.ts'
import { forEachOf } from '#platform/base/promise.ts'
import { withReason } from '#platform/base/reason.ts'
import { fieldText, groupsOf, shellWord } from '#platform/base/text.ts'
import { type OutgoingOptions, trustedFetch, untrustedFetch } from '#platform/outgoing/outgoing-fetch.ts'
import type { Files } from '#store/files/files.ts'
import { basicCredentials, namesOf, secretsOf } from '../program/credentials.ts'
import type { GitHost } from '../program/git-access.ts'
import { explainFailure, protocolOf } from '../program/git-problem.ts'
import { type GitRunner, runGit } from '../program/run-git.ts'
import { webPlace } from '../repository/remote.ts'

export type LfsHost = Pick<GitHost, 'token' | 'sshKey' | 'targets'>
type LfsStore = { files: Pick<Files, 'list' | 'open'> }
type LfsSource = { source: { url: string }; mirror: GitRunner; host: LfsHost; store: LfsStore }

/** A pointer by its text, and the place for its file. */
export type Pointer = { path: string; place: string | Buffer; text: string }

/** A pointer with the hash and the size of its file. */
type Wanted = Pointer & { oid: string; size: number }
/** Makes a function that takes an error as the reason for which these objects are missing. It rethrows faults. */
type Explain = (objects: readonly Pointer[]) => (error: unknown) => void
/** The server of Git LFS, and the header fields for requests to it. */
type Server = { address: string; headers: Record<string, string> }

/**
 * Puts the files of pointers into their places, with at most `maxBytes` together: from the store, or else from the Git
 * LFS server of the repository. Returns the files that did not arrive.
 */
export async function fetchLfsFiles(
  source: LfsSource,
  workspace: string,
  pointers: readonly Pointer[],
  maxBytes: number,
): Promise<AbsentFile[]> {
  const { files } = source.store
  const stored = pointers.length > 0 ? await files.list(workspace) : new Set()
  /** Why files are missing, keyed by path. */
  const reasons = new Map<string, string>()
  const explain: Explain = objects => error => {
    source.mirror.signal.throwIfAborted()
    if (!(error instanceof OperationalError)) throw error
    for (const { path } of objects) reasons.set(path, errorMessage(error))
  }
  const toDownload: Wanted[] = []
  let bytesLeft = maxBytes
  for (const pointer of pointers) {
    const object = parseLfsPointer(pointer.text)
    if (!object) reasons.set(pointer.path, 'its pointer is damaged, or needs a program')
    else if (object.size > bytesLeft) reasons.set(pointer.path, 'its repository has more bytes than --max-git permits')
    else {
      bytesLeft -= object.size
      const wanted = { ...pointer, ...object }
      const chunks = stored.has(object.oid) ? await files.open(workspace, parseHash(object.oid)) : undefined
      if (chunks) await writeChecked(chunks, wanted).catch(explain([wanted]))
      else toDownload.push(wanted)
    }
  }
  if (toDownload.length > 0) await download(source, toDownload, explain)
  for (const { path, place } of pointers) if (reasons.has(path)) await rm(place, { force: true })
  return Array.from(reasons, ([path, why]) => ({ path, rule: 'git-lfs', message: `is in Git LFS but missing: ${why}` }))
}

/** Downloads objects in batches. A refused batch does not stop the next one. */
async function download(source: LfsSource, wanted: readonly Wanted[], explain: Explain): Promise<void> {
  const signal = AbortSignal.any([source.mirror.signal, AbortSignal.timeout(MAX_MS)])
  const server = await findServer(source).catch(explain(wanted))
  for (let at = 0; server && at < wanted.length; at += BATCH_LENGTH) {
    const batch = wanted.slice(at, at + BATCH_LENGTH)
    const answers = await askBatch(source, server, batch, signal).catch(explain(batch))
    await forEachOf(answers ? batch : [], AT_ONCE, object => {
      const answer = answers?.find(each => field(each, 'oid') === object.oid)
      return downloadOne(source, server, object, answer, signal).catch(explain([object]))
    })
  }
}

/** Objects in one request for their addresses. */
const BATCH_LENGTH = 100
/** Downloads at the same time. */
const AT_ONCE = 4
/** The time for all downloads. */
const MAX_MS = 30 * 60_000

/**
 * Finds the server of a repository (git-lfs, docs/api/server-discovery.md); for ssh with `git-lfs-authenticate`, which
 * may name another host. `.lfsconfig` is not read, because every author could name a host there.
 */
async function findServer({ source: { url }, mirror, host }: LfsSource): Promise<Server> {
  const protocol = protocolOf(url)
  const address = `${webAddress(url)}/info/lfs`
  if (protocol !== 'ssh')
    return { address, headers: host.token ? { authorization: `Basic ${basicCredentials(host.token)}` } : {} }
  // `git@acme.example` and `brand.git` in `git@acme.example:brand.git`
  const [, destination = '', path = ''] = groupsOf(/^(ssh:\/\/[^/]+|[^:/]+(?=:)):?(.*)$/, url)
  const command = [destination, `git-lfs-authenticate ${shellWord(path)} download`]
  const ssh = ['-c', `${mirror.environment.GIT_SSH_COMMAND} -- "$@"`, 'ssh', ...command]
  const answer = await runGit(mirror, ssh, { program: 'sh' })
  if (!answer.ok) {
    const { message } = explainFailure('find its Git LFS server', url, answer.problem, host)
    throw new OperationalError('git_lfs', message)
  }
  const reply = parsedJson(answer.value)
  const named = URL.parse(`${field(reply, 'href')}`)?.href.replace(/\/$/, '')
  return { address: named ?? address, headers: headersIn(field(reply, 'header')) }
}

/** The address of a repository on the web; for ssh at the port of https. */
function webAddress(url: string): string {
  const { host, path } = webPlace(url)
  return `${protocolOf(url) === 'http' ? 'http' : 'https'}://${host}/${path}.git`
}

/** Asks where objects are (git-lfs, docs/api/batch.md). */
async function askBatch(source: LfsSource, server: Server, wanted: readonly Wanted[], signal: AbortSignal) {
  const address = `${server.address}/objects/batch`
  const objects = Array.from(new Map(wanted.map(({ oid, size }) => [oid, size])), ([oid, size]) => ({ oid, size }))
  const body = JSON.stringify({ operation: 'download', transfers: ['basic'], objects, hash_algo: 'sha256' })
  const headers = { ...server.headers, accept: MEDIA_TYPE, 'content-type': MEDIA_TYPE }
  const fetch = fetchFor(source, address, { maxMs: MIN_MS, maxBytes: MAX_REPLY })
  const response = await fetch(address, { method: 'POST', headers, body, signal })
  const reply = parsedJson(await response.text())
  if (!response.ok) throw refusal(source, server.headers, response.status, reply)
  const answers = field(reply, 'objects')
  if (!Array.isArray(answers)) throw new OperationalError('git_lfs', 'its host does not answer as Git LFS does')
  return answers
}

const MEDIA_TYPE = 'application/vnd.git-lfs+json'
/** In bytes. */
const MAX_REPLY = 4 << 20

/**
 * Downloads an object from the address in the server's answer (its action). The header fields with credentials of the
 * server are sent only to the server, and those of the action only to its address, also after redirects.
 */
async function downloadOne(source: LfsSource, server: Server, object: Wanted, answer: unknown, signal: AbortSignal) {
  const error = field(answer, 'error')
  if (error !== undefined) throw refusal(source, server.headers, field(error, 'code'), error)
  const action = field(field(answer, 'actions'), 'download')
  let url = URL.parse(`${field(action, 'href')}`)
  if (!url) throw new OperationalError('git_lfs', 'its host names no address for it')
  const isOwn = url.origin === new URL(server.address).origin && field(answer, 'authenticated') !== true
  let headers = { ...(isOwn && server.headers), ...headersIn(field(action, 'header')) }
  const receive = (chunks: AsyncIterable<Uint8Array>) => writeChecked(chunks, object)
  for (let redirects = 0; ; redirects++) {
    const maxMs = Math.min(MAX_MS, MIN_MS + Math.ceil(object.size / MIN_BYTES_PER_MS))
    const fetch = fetchFor(source, url, { maxMs, receive })
    const response = await fetch(url.href, { headers, redirect: 'manual', signal })
    if (response.ok) return
    const target = URL.parse(fieldText(response.headers, 'location'), url.href)
    if (response.status >= 400 || !target || redirects === MAX_REDIRECTS)
      throw refusal(source, headers, response.status, parsedJson(await response.text()))
    if (target.origin !== url.origin) headers = {}
    url = target
  }
}

/** A slower host counts as a failing one. */
const MIN_MS = 60_000
const MIN_BYTES_PER_MS = 50
const MAX_REDIRECTS = 5

/** The repository's own host may be on a private network, but only at its own port; others must be public. */
function fetchFor({ source: { url }, host }: LfsSource, address: string | URL, options: OutgoingOptions) {
  return new URL(address).host === new URL(webAddress(url)).host
    ? trustedFetch(options)
    : untrustedFetch(host.targets ?? { allow: [], publicUrl: 'http://localhost' }, options)
}

/** The header fields that a host asks for, without the fields that frame a request. */
function headersIn(value: unknown): Record<string, string> {
  const fields = Object.entries(Object(value)).filter(([name, text]) => FIELD.test(`${name}: ${text}`))
  return Object.fromEntries(fields.map(([name, text]) => [name.toLowerCase(), `${text}`]))
}

const FIELD = /^(?!(?:host|content-length|transfer-encoding):)[\w-]+: [ -~]*$/i

/** The status of a refusal, and the words of the host. */
function refusal({ host }: LfsSource, headers: Server['headers'], status: unknown, reply: unknown): OperationalError {
  const fix = status === 401 || status === 403 ? `; give a token that may read it with ${namesOf({}).token}` : ''
  const secrets = [...secretsOf(host), ...Object.values(headers)]
  const message = withReason(`its host answers ${Number(status)}${fix}`, `${field(reply, 'message') ?? ''}`, secrets)
  return new OperationalError('git_lfs', message)
}

/** Writes an object, and throws an OperationalError if its bytes have another size or hash. */
async function writeChecked(chunks: AsyncIterable<Uint8Array>, { oid, size, place }: Wanted): Promise<void> {
  const digest = createHash('sha256')
  let length = 0
  await using file = await open(place, 'w', 0o600)
  for await (const chunk of chunks) {
    length += chunk.length
    if (length > size) break
    digest.update(chunk)
    await file.writeFile(chunk)
  }
  if (length !== size || digest.digest('hex') !== oid)
    throw new OperationalError('git_lfs', 'its bytes have another size or hash than its pointer')
}
