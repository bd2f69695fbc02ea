import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { parseHash } from '#brand/snapshot.ts'
import type { GitHost } from '#publishing/git/program/git-access.ts'
import { housestyle } from '../../../program/cli/housestyle.ts'
import { type Certificate, makeCertificate, secureServer, trustCertificate } from '../../../support/certificate.ts'
import { type LfsServer, oidOf, pointerOf, startLfsServer } from '../../../support/lfs-server.ts'
import { localServer } from '../../../support/local-server.ts'
import { needs } from '../../../support/programs.ts'
import { pullerFor } from '../../../support/puller.ts'
import { startSshServer } from '../../../support/ssh-server.ts'
import { temporaryFolder } from '../../../support/temporary.ts'
import { type TemporaryStore, temporaryStore } from '../../../support/temporary-store.ts'

const GIT = needs('git')
const TLS = needs('git', 'openssl')
const SSH = needs('git', 'openssl', 'ssh', 'ssh-keygen', 'sshd')
const BRAND = { 'workspace.yaml': 'id: acme\n', 'guide/pages/index.md': '# Welcome\n' }
const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8H0z"/></svg>\n'
const NOISE = Buffer.alloc(3 << 20, 'noise of a film')
const TOKEN = 'glpat-hunter2hunter2'
/** Permits other ports of this machine, which count as other hosts. */
const TARGETS: GitHost['targets'] = {
  allow: [{ address: '127.0.0.0', prefix: 8, family: 'ipv4' }],
  publicUrl: 'https://brand.test',
}
const BASIC = `Basic ${Buffer.from(`x-access-token:${TOKEN}`).toString('base64')}`

function give(server: LfsServer, ...files: readonly (string | Uint8Array)[]): void {
  for (const bytes of files) server.objects.set(oidOf(bytes), Buffer.from(bytes))
}

async function storedBytes({ store }: TemporaryStore, bytes: string | Uint8Array): Promise<Buffer | undefined> {
  const chunks = await store.files.open('acme', parseHash(oidOf(bytes)))
  return chunks && Buffer.concat(await Array.fromAsync(chunks, chunk => Buffer.from(chunk)))
}

/** Pulls the files of one commit, and returns the messages of findings by path. */
async function pullFiles(server: LfsServer, files: Record<string, string>, host: Partial<GitHost> = {}) {
  const repository = await server.make(`r${server.batches.length}-${Math.random()}.git`)
  await repository.commit({ ...BRAND, ...files })
  const temporary = await temporaryStore()
  const puller = pullerFor(temporary, { host })
  const { state } = await puller.pull({ url: repository.url })
  const found = Object.fromEntries(state.findings.map(({ rule, path, message }) => [path, `${rule} ${message}`]))
  return { repository, temporary, puller, state, found }
}

async function trustedCertificate(): Promise<Certificate> {
  const certificate = await makeCertificate('IP:127.0.0.1')
  trustCertificate(certificate)
  return certificate
}

test('files in Git LFS arrive with their bytes, after one request for those that the store lacks', GIT, async () => {
  const server = await startLfsServer()
  give(server, LOGO, NOISE)
  const files = {
    'guide/files/logo.svg': pointerOf(LOGO),
    'guide/files/copy.svg': pointerOf(LOGO),
    'guide/files/film.bin': pointerOf(NOISE),
  }
  const { repository, temporary, puller, state } = await pullFiles(server, files)
  assert.deepEqual([state.failure, state.findings], [null, []])
  assert.equal(String(await storedBytes(temporary, LOGO)), LOGO)
  assert.ok((await storedBytes(temporary, NOISE))?.equals(NOISE))
  const objects = [
    { oid: oidOf(LOGO), size: LOGO.length },
    { oid: oidOf(NOISE), size: NOISE.length },
  ]
  const [asked] = server.batches
  assert.deepEqual(asked?.batch, {
    operation: 'download',
    transfers: ['basic'],
    objects,
    hash_algo: 'sha256',
  })
  assert.deepEqual(
    [asked.headers.accept, asked.headers['content-type']],
    ['application/vnd.git-lfs+json', 'application/vnd.git-lfs+json'],
  )
  await repository.commit({ ...BRAND, ...files, 'guide/pages/other.md': '# Other\n' })
  const again = await puller.pull({ url: repository.url })
  assert.deepEqual([again.outcome, again.state.failure, server.batches.length], ['imported', null, 1])
})

test('a request names at most 100 objects', GIT, async () => {
  const server = await startLfsServer()
  const texts = Array.from({ length: 101 }, (_, at) => `file ${at}`)
  give(server, ...texts)
  const files = Object.fromEntries(texts.map((text, at) => [`guide/files/${at}.txt`, pointerOf(text)]))
  const { state } = await pullFiles(server, files)
  assert.deepEqual([state.failure, state.findings], [null, []])
  const seen = server.batches.map(({ batch }) => batch.objects.length)
  assert.deepEqual(seen, [100, 1])
})

test('a file that does not arrive is named with the words of its host, and the rest is imported', GIT, async () => {
  const server = await startLfsServer()
  give(server, 'right')
  server.objects.set(oidOf('other bytes'), Buffer.from('other bytes?'))
  server.objects.set(oidOf('same size'), Buffer.from('sane size'))
  server.objects.set(oidOf('no action'), {})
  const files = {
    'guide/project.yaml': 'theme:\n  logo: files/logo.svg\n',
    'guide/pages/logo.md': '# Logo\n\n![Logo](../files/logo.svg)\n',
    'guide/files/logo.svg': pointerOf(LOGO),
    'guide/files/right.txt': pointerOf('right'),
    'guide/files/longer.txt': pointerOf('other bytes'),
    'guide/files/other.txt': pointerOf('same size'),
    'guide/files/nowhere.txt': pointerOf('no action'),
    'guide/files/damaged.txt': pointerOf('right').replace('size', 'ext-0-x sha256:0\nsize'),
    'guide/files/huge.txt': pointerOf('huge', 2 ** 40),
  }
  const { temporary, repository, state, found } = await pullFiles(server, files)
  const why = 'git-lfs is in Git LFS but missing: '
  const other = `${why}its bytes have another size or hash than its pointer`
  assert.deepEqual(found, {
    'guide/files/damaged.txt': `${why}its pointer is damaged, or needs a program`,
    'guide/files/huge.txt': `${why}its repository has more bytes than --max-git permits`,
    'guide/files/logo.svg': `${why}its host answers 404: Object does not exist`,
    'guide/files/longer.txt': other,
    'guide/files/nowhere.txt': `${why}its host names no address for it`,
    'guide/files/other.txt': other,
  })
  assert.deepEqual([state.errors, state.failure, state.projects[0]?.revision], [0, null, 1])
  assert.equal(String(await storedBytes(temporary, 'right')), 'right')

  give(server, LOGO)
  const { store, data } = temporary
  assert.equal((await pullerFor(temporary).pull({ url: repository.url })).outcome, 'unchanged')
  const later = { ...store.clock, date: () => new Date(Date.now() + 11 * 60_000) }
  const again = await pullerFor({ store: { ...store, clock: later }, data }).pull({ url: repository.url })
  assert.deepEqual([again.outcome, again.state.projects[0]?.revision], ['imported', 2])
  assert.equal(String(await storedBytes(temporary, LOGO)), LOGO)
})

test('a host that refuses or does not answer leaves out only the files in Git LFS', GIT, async () => {
  const server = await startLfsServer()
  server.refusal = { status: 401, message: `Credentials needed, not ${BASIC}` }
  const files = { 'guide/files/logo.svg': pointerOf(LOGO) }
  const { found, state } = await pullFiles(server, files, { token: TOKEN })
  const fix = 'give a token that may read it with HOUSESTYLE_GIT_TOKEN'
  assert.deepEqual(found, {
    'guide/files/logo.svg': `git-lfs is in Git LFS but missing: its host answers 401; ${fix}: Credentials needed, not …`,
  })
  assert.deepEqual([state.state, state.projects[0]?.imported], ['good', true])
})

test('the token goes only to the host of the repository, fields of an action only to its address', TLS, async () => {
  const certificate = await trustedCertificate()
  const server = await startLfsServer()
  const other = await startLfsServer(certificate)
  give(server, 'first', 'second', 'third')
  give(other, 'second')
  server.header = { 'X-Signed': 'yes', Host: 'evil.example' }
  const at = (href: string, more: object = {}) => ({
    actions: { download: { href, header: { 'X-Signed': 'yes' } } },
    ...more,
  })
  const moved = await secureServer(certificate, (request, response) => {
    const { headers, url = '' } = request
    other.downloads.push({ headers, path: `moved ${url}` })
    response.writeHead(302, { location: `${other.url}${url}` }).end()
  })
  give(other, 'fourth')
  server.objects.set(oidOf('second'), at(`${other.url}/objects/${oidOf('second')}`))
  server.objects.set(oidOf('fourth'), at(`https://127.0.0.1:${moved}/objects/${oidOf('fourth')}`))
  const files = Object.fromEntries(
    ['first', 'second', 'fourth'].map(text => [`guide/files/${text}.txt`, pointerOf(text)]),
  )
  const { state } = await pullFiles(
    server,
    { ...files, '.lfsconfig': `[lfs]\nurl = ${other.url}/other.git/info/lfs\n` },
    { token: TOKEN, targets: TARGETS },
  )
  assert.deepEqual([state.failure, state.findings], [null, []])
  const sent = server.batches.map(({ headers }) => headers.authorization)
  assert.deepEqual(sent, [BASIC])
  const seen = (asked: LfsServer['downloads']) =>
    asked.map(({ path, headers }) => [path.includes('moved'), headers.authorization, headers['x-signed']])
  assert.deepEqual(seen(server.downloads), [[false, BASIC, 'yes']])
  assert.equal(server.downloads[0]?.headers.host, new URL(server.url).host)
  assert.deepEqual(
    seen(other.downloads).toSorted((a, b) => `${a}`.localeCompare(`${b}`)),
    [
      [false, undefined, undefined],
      [false, undefined, 'yes'],
      [true, undefined, 'yes'],
    ],
  )
  assert.deepEqual(other.batches, [])
})

test('addresses of other hosts must be https and public', GIT, async () => {
  const server = await startLfsServer()
  const port = new URL(server.url).port
  const at = (href: string) => ({ actions: { download: { href } } })
  server.objects.set(oidOf('plain'), at(`http://localhost:${port}/objects/x`))
  server.objects.set(oidOf('private'), at(`https://10.0.0.1/objects/x?secret=1`))
  const files = { 'guide/files/a.txt': pointerOf('plain'), 'guide/files/b.txt': pointerOf('private') }
  const { found } = await pullFiles(server, files)
  assert.match(found['guide/files/a.txt'] ?? '', /missing: cannot ask http:\/\/localhost:.*: the address is not https$/)
  assert.match(
    found['guide/files/b.txt'] ?? '',
    /missing: cannot ask https:\/\/10\.0\.0\.1\/objects\/x: its host is private/,
  )
  assert.deepEqual(server.downloads, [])
})

test('another port of the host of a repository is another host, also after a redirect', TLS, async () => {
  const asked: (string | undefined)[] = []
  const inside = await secureServer(await trustedCertificate(), ({ url }, response) => {
    asked.push(url)
    response.end('inside')
  })
  const server = await startLfsServer()
  const moved = await localServer((_, response) => void response.end('inside'))
  const at = (href: string) => ({ actions: { download: { href } } })
  server.objects.set(oidOf('inside'), at(`https://127.0.0.1:${inside}/admin`))
  server.objects.set(oidOf('plain'), at(moved.url))
  const files = { 'guide/files/a.txt': pointerOf('inside'), 'guide/files/b.txt': pointerOf('plain') }
  const { found } = await pullFiles(server, files)
  assert.match(
    found['guide/files/a.txt'] ?? '',
    /missing: cannot ask https:\/\/127\.0\.0\.1:\d+\/admin: its host is private/,
  )
  assert.match(found['guide/files/b.txt'] ?? '', /missing: cannot ask http:.*: the address is not https$/)
  assert.deepEqual(asked, [])
})

test('an abort ends a download', TLS, async () => {
  const server = await startLfsServer()
  const stopping = new AbortController()
  const slow = await secureServer(await trustedCertificate(), (_, response) => {
    response.write('begin')
    stopping.abort()
  })
  server.objects.set(oidOf('slow'), { actions: { download: { href: `https://127.0.0.1:${slow}/x` } } })
  const { url, commit } = await server.make('slow.git')
  await commit({ ...BRAND, 'guide/files/slow.txt': pointerOf('slow', 1000) })
  const host = { targets: TARGETS }
  const pulled = pullerFor(await temporaryStore(), { signal: stopping.signal, host }).pull({ url })
  await assert.rejects(pulled, { name: 'AbortError' })
})

test('by ssh, the host names the server with git-lfs-authenticate', SSH, async () => {
  const server = await startLfsServer(await trustedCertificate())
  give(server, LOGO)
  const programs = await temporaryFolder()
  const { folder, commit } = await server.make('by-ssh.git')
  const answer = {
    href: `${server.url}/by-ssh.git/info/lfs/`,
    header: { Authorization: 'RemoteAuth ssh' },
    expires_in: 60,
  }
  const script = `#!/bin/sh\necho "$@" >${programs}/asked\ncat <<'END'\n${JSON.stringify(answer)}\nEND\n`
  await writeFile(join(programs, 'git-lfs-authenticate'), script, { mode: 0o755 })
  await commit({ ...BRAND, 'guide/files/logo.svg': pointerOf(LOGO) })
  const { url, key: sshKey, knownHosts } = await startSshServer(programs)
  const temporary = await temporaryStore()
  const { state } = await pullerFor(temporary, { host: { sshKey, knownHosts, token: TOKEN, targets: TARGETS } }).pull({
    url: url + folder,
  })
  assert.deepEqual([state.failure, state.findings], [null, []])
  assert.equal(String(await storedBytes(temporary, LOGO)), LOGO)
  assert.equal(await readFile(join(programs, 'asked'), 'utf8'), `${folder} download\n`)
  const seen = [...server.batches, ...server.downloads].map(({ headers }) => headers.authorization)
  assert.deepEqual(seen, ['RemoteAuth ssh', 'RemoteAuth ssh'])
})

test('a host by ssh without git-lfs-authenticate is named', SSH, async () => {
  const server = await startLfsServer()
  const { folder, commit } = await server.make('without.git')
  await commit({ ...BRAND, 'guide/files/logo.svg': pointerOf(LOGO) })
  const { url, key: sshKey, knownHosts } = await startSshServer()
  const { state } = await pullerFor(await temporaryStore(), { host: { sshKey, knownHosts } }).pull({
    url: url + folder,
  })
  const [{ path, message } = assert.fail()] = state.findings
  assert.equal(path, 'guide/files/logo.svg')
  assert.match(message, /missing: cannot find its Git LFS server: .*git-lfs-authenticate.*not found/)
})

test('the program that pulls in the background imports files in Git LFS', GIT, async () => {
  const server = await startLfsServer()
  give(server, LOGO)
  const { url, commit } = await server.make('command.git')
  await commit({ ...BRAND, 'guide/files/logo.svg': pointerOf(LOGO), 'guide/files/lost.svg': pointerOf('lost') })
  const cwd = await temporaryFolder()
  const pulled = await housestyle(['pull', '--git', url], { cwd, env: { PATH: process.env.PATH ?? '' } })
  assert.equal(pulled.status, 0)
  assert.match(
    pulled.stderr,
    /^guide\/files\/lost\.svg:1 warning git-lfs is in Git LFS but missing: its host answers 404/m,
  )
})
