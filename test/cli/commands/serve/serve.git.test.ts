import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { serveIn } from '../../../support/command.ts'
import { startGitServer } from '../../../support/git-server.ts'
import { needs } from '../../../support/programs.ts'
import { temporaryFolder } from '../../../support/temporary.ts'
import { until } from '../../../support/until.ts'
import { housestyle, MAIN } from '../../housestyle.ts'

const SECRET = 'sixteen letters!'
const BRAND = {
  'brand/workspace.yaml': 'id: acme\n',
  'brand/guide/project.yaml': 'visibility: public\n',
  'brand/guide/pages/index.md': '# Welcome\n',
}

test('serve --git publishes a repository, follows its webhooks, and explains an error by path and line', {
  ...needs('git'),
  timeout: 120_000,
}, async () => {
  const server = await startGitServer()
  const { url: repository, commit } = await server.make('brand.git')
  const first = await commit(BRAND, { subject: 'The first guide' })
  const data = join(await temporaryFolder(), 'data')
  const options = ['--git', repository, '--path', 'brand/', '--data', data]
  const running = await serveIn({ HOUSESTYLE_GIT_HOOK_SECRET: SECRET }, MAIN, ...options)
  after(running.stop)
  const { url } = running
  const textAt = async (path: string) => (await fetch(url + path)).text()
  assert.match(await textAt('/acme/guide'), /Welcome/)
  assert.equal(await textAt('/readyz'), 'ready\n')
  const push = (body: string | Buffer) => {
    const signature = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`
    return fetch(`${url}/hooks/git`, { method: 'POST', body, headers: { 'X-Hub-Signature-256': signature } })
  }
  const second = await commit(
    { ...BRAND, 'brand/guide/pages/index.md': '# Second\n' },
    { subject: 'Second & more', author: 'Grace Hopper' },
  )
  const accepted = await push('{}')
  assert.deepEqual([accepted.status, await accepted.json()], [202, { accepted: true }])
  await until(async () => (await textAt('/acme/guide')).includes('Second'))
  assert.match(await textAt('/acme/guide/-/changes'), /Second &#38; more \(Grace Hopper, [0-9a-f]{12}\)/)
  const note = `Second & more (Grace Hopper, ${second.slice(0, 12)})`
  const history = JSON.parse((await housestyle(['history', 'acme/guide', '--data', data, '--json'])).stdout)
  assert.deepEqual(
    history.map((each: { note: string }) => each.note),
    [note, `The first guide (Ada, ${first.slice(0, 12)})`],
  )
  await commit({ ...BRAND, 'brand/guide/styles/colors.yaml': '- name: Ink\n' })
  assert.equal((await push(Buffer.alloc(20 << 20, 'x'))).status, 202)
  await until(async () => (await textAt('/readyz')) === 'degraded: git\n')
  assert.equal(await textAt('/readyz?verbose'), 'degraded: git\n')
  assert.match(await textAt('/acme/guide'), /Second/)
  const metric = /^housestyle_git_pull_age_seconds\{repository="(.*)",ref="",path="brand"\} ([\d.]+)$/m
  const [, labelled, age] = metric.exec(await textAt('/metrics')) ?? []
  assert.deepEqual([labelled, Number(age) < 3600], [repository, true])
  const status = await housestyle(['pull', '--status', '--json', ...options])
  const [state] = JSON.parse(status.stdout)
  assert.deepEqual([status.status, state.state, state.errors], [1, 'failed', 1])
  assert.deepEqual([state.url, state.path, state.findings[0].rule], [repository, 'brand', 'value-missing'])
  assert.deepEqual([state.findings[0].path, state.findings[0].line], ['brand/guide/styles/colors.yaml', 1])
  assert.deepEqual(await housestyle(['pull', '--status', '--json', '--data', data]), status)
  assert.equal((await push(Buffer.alloc(26 << 20, 'x'))).status, 413)
  assert.equal((await fetch(`${url}/hooks/git`, { method: 'POST', body: '{}' })).status, 401)
  assert.equal((await fetch(`${url}/hooks/git`)).status, 405)
  assert.equal(await running.stop(), 0)
  const log = await running.log
  const pulled = log.split('\n').flatMap(line => (line.includes('"a commit was pulled"') ? [JSON.parse(line)] : []))
  assert.deepEqual(
    pulled.map(({ commit, author, subject }) => [commit, author, subject]),
    [
      [first, 'Ada', 'The first guide'],
      [second, 'Grace Hopper', 'Second & more'],
    ],
  )
  const failure = log.split('\n').find(line => line.includes('a repository cannot be published'))
  const { source, msg } = JSON.parse(failure ?? '{}')
  assert.equal(source, `${repository} brand/`)
  assert.match(msg, /: brand\/guide\/styles\/colors\.yaml:1 value-missing a colour has neither/)
  assert.doesNotMatch(log, /secret\.example|sixteen letters/)
})

test('serve takes a folder or a repository, not both, and --ref needs --git', async () => {
  const both = await housestyle(['serve', '.', '--git', 'https://git.example/acme/brand.git'])
  assert.deepEqual(
    [both.status, both.stderr],
    [2, 'housestyle: serve publishes a folder or follows git repositories, not both: give one\n'],
  )
  const stray = await housestyle(['serve', '--ref', 'main'])
  assert.equal(stray.status, 2)
  assert.match(
    stray.stderr,
    /^housestyle: --ref: it belongs to --git, which is not given: name a repository with --git/,
  )
  const secret = await housestyle(['serve', '--git-token', 'x'])
  assert.match(secret.stderr, /unknown option '--git-token'/)
})
