import assert from 'node:assert/strict'
import test from 'node:test'
import { withoutUndefined } from '#platform/base/object.ts'
import type { EditClone } from '#publishing/git/edit/clone.ts'
import { type EditedSource, openEdits } from '#publishing/git/edit/edits.ts'
import { editClone, GIT_HOST } from '#test/support/edit-clone.ts'
import { makeCertificate, secureServer } from '../../../support/certificate.ts'
import { answerFromGit } from '../../../support/git-backend.ts'
import { basic, type GitServer, startGitServer } from '../../../support/git-server.ts'
import { needs } from '../../../support/programs.ts'
import { startSshServer } from '../../../support/ssh-server.ts'
import { until } from '../../../support/until.ts'

const OPENSSL = needs('git', 'openssl')
const SSH = needs('git', 'ssh', 'ssh-keygen', 'sshd')
const server = await startGitServer()
const PAGE = 'guide/pages/voice.md'

test('if the host does not answer at once, a page opens with the last head, and then with the new one', async () => {
  const own = await startGitServer()
  const repository = await repositoryOf(own)
  const clock = { time: Date.now() }
  const first = await repository.git(['rev-parse', 'main'])
  const edits = await editsOf(repository.url, { now: () => new Date(clock.time), followed: async () => first })
  const text = async () => {
    const read = await edits.read(PAGE)
    return read.ok ? read.value && Buffer.from(read.value).toString() : read.problem.code
  }
  assert.equal(await text(), '# Voice\n')
  await repository.commit({ [PAGE]: '# Tone\n' })
  clock.time += 10_000
  const held: (() => void)[] = []
  own.answer(response => void held.push(() => response.destroy()))
  assert.equal(await text(), '# Voice\n')
  own.answer(undefined)
  await until(async () => held.splice(0).map(end => end()).length === 0 && (await text()) === '# Tone\n')
  // A head that nobody has confirmed is not shown.
  clock.time += 600_000
  own.answer(response => response.writeHead(503).end())
  assert.equal(await text(), 'git_unreachable')
})

test('a page opens while a save waits for the host, and the text after a save is the saved one', async () => {
  const own = await startGitServer()
  const repository = await repositoryOf(own)
  const edits = await editsOf(repository.url)
  assert.ok((await edits.read(PAGE)).ok)
  const held: (() => void)[] = []
  own.answer(response => void held.push(() => response.writeHead(503).end()))
  const saving = save(edits, '# Voice\n', '# Lost\n', 'save-1')
  await until(() => held.length > 0)
  assert.ok((await edits.read(PAGE)).ok)
  own.answer(response => response.writeHead(503).end())
  for (const end of held) end()
  const away = await saving
  assert.ok(!away.ok)
  assert.match(away.problem.message, /^cannot read http.*: the host fails \(503\)/)
  own.answer(undefined)
  const saved = await save(edits, '# Voice\n', '# Tone\n', 'save-2')
  assert.ok(saved.ok)
  own.answer(response => response.writeHead(503).end())
  const read = await edits.read(PAGE)
  assert.equal(read.ok && Buffer.from(read.value ?? []).toString(), '# Tone\n')
})

test('by https with an own authority, the push token goes to the host alone, after no redirect', OPENSSL, async () => {
  const repository = await repositoryOf(server, 'secure')
  const certificate = await makeCertificate('IP:127.0.0.1')
  const other: (string | undefined)[] = []
  const otherPort = await secureServer(certificate, ({ headers }, response) => {
    other.push(headers.authorization)
    response.writeHead(403).end()
  })
  const asked = new Map<string, Set<string | undefined>>()
  let isMoved = false
  const port = await secureServer(certificate, (request, response) => {
    const { url = '', headers } = request
    const service = url.includes('git-receive-pack') ? 'push' : 'read'
    asked.set(service, (asked.get(service) ?? new Set()).add(headers.authorization))
    if (!isMoved || service === 'read') answerFromGit(server.folder, request, response)
    else response.writeHead(302, { Location: `https://127.0.0.1:${otherPort}${url}` }).end()
  })
  const environment = { PATH: process.env.PATH ?? '', GIT_SSL_CAINFO: certificate.path }
  const edits = await editsOf(`https://127.0.0.1:${port}/secure`, {
    host: { ...GIT_HOST, environment, token: 'reading' },
    pusher: { ...GIT_HOST, environment, token: 'pushing', isForPush: true },
  })
  const saved = await save(edits, '# Voice\n', '# Tone\n', 'save-1')
  assert.ok(saved.ok && saved.value.outcome === 'saved')
  assert.equal(saved.value.commit, await repository.git(['rev-parse', 'main']))
  assert.deepEqual(asked.get('read'), new Set([basic('reading')]))
  assert.deepEqual(asked.get('push'), new Set([basic('pushing')]))
  isMoved = true
  const moved = await save(edits, '# Tone\n', '# Text\n', 'save-2')
  assert.ok(!moved.ok)
  assert.match(moved.problem.message, /the host redirects, which is not followed/)
  assert.deepEqual(other, [])
})

test('by ssh, a push uses its own key, and a refusal names its setting', SSH, async () => {
  const repository = await repositoryOf(server, 'by-ssh')
  const ssh = await startSshServer()
  const host = { ...GIT_HOST, sshKey: ssh.key, knownHosts: ssh.knownHosts }
  const edits = await editsOf(ssh.url + repository.folder, { host, pusher: { ...host, isForPush: true } })
  assert.deepEqual(await edits.tryPush(), { ok: true, value: undefined })
  const saved = await save(edits, '# Voice\n', '# Tone\n', 'save-1')
  assert.equal(saved.ok && (await repository.git(['show', `main:${PAGE}`])), '# Tone')
  for (const keys of [{ sshKey: undefined }, { sshKey: ssh.otherKey }]) {
    const pusher = withoutUndefined({ ...host, ...keys, isForPush: true } as const)
    const refused = await (await editsOf(ssh.url + repository.folder, { host, pusher })).tryPush()
    assert.ok(!refused.ok)
    assert.equal(refused.problem.code, 'git_refused')
    assert.match(refused.problem.message, /give a key that may push to it with HOUSESTYLE_GIT_PUSH_SSH_KEY/)
  }
})

async function repositoryOf({ make }: GitServer, name = 'brand') {
  const repository = await make(name)
  await repository.commit({ [PAGE]: '# Voice\n' })
  return repository
}

async function editsOf(url: string, options: Partial<EditClone> = {}): Promise<EditedSource> {
  return openEdits(await editClone(url, { pusher: GIT_HOST, ...options }))
}

function save({ save: saveEdit }: EditedSource, before: string, after: string, saveId: string) {
  const change = { path: PAGE, before: Buffer.from(before), after: Buffer.from(after) }
  const author = { name: 'Mia', email: 'mia@x' }
  return saveEdit({ changes: [change], author, settings: 'guide/project.yaml', subject: 'Voice', saveId })
}
