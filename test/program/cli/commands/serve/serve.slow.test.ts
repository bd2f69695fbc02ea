import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import test, { after, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { failToListen } from '#program/cli/commands/serve/serve.ts'
import { serve, serveIn } from '#test/support/command.ts'
import { startGitServer } from '#test/support/git-server.ts'
import { startPostgres } from '#test/support/postgres.ts'
import { needs } from '#test/support/programs.ts'
import { ask } from '#test/support/requests.ts'
import { folderWith, temporaryFolder } from '#test/support/temporary.ts'
import { temporaryStore } from '#test/support/temporary-store.ts'
import { until } from '#test/support/until.ts'
import { housestyle, MAIN } from '../../housestyle.ts'

/** A workspace with a public and a private project. */
const acme = await folderWith({
  'workspace.yaml': 'id: acme\n',
  'guidelines/project.yaml': 'visibility: public\n',
  'guidelines/pages/color.md': '# Color\n\n![Mark](../files/mark.svg)\n',
  'guidelines/files/mark.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
  'plans/pages/index.md': '# Plans\n',
})

test('serve prints a clear message if it cannot listen, and exits with 1', async t => {
  const data = join(await temporaryFolder(), 'data')
  const one = await serve(MAIN, '--data', data, '--log', 'silent')
  t.after(() => one.stop())
  const { port } = new URL(one.url)
  const taken = await housestyle(['serve', '--data', data, '--port', port, '--json'])
  const problem = `port ${port} of 127.0.0.1 is in use: for a free one, run `
  const message = `${problem}housestyle serve --data ${data} --json --port 0`
  assert.deepEqual([taken.status, taken.stdout, JSON.parse(taken.stderr)], [1, '', { error: 'port_taken', message }])
  const dev = await housestyle(['dev', acme, `--port=${port}`, '--json'])
  const again = `${problem}housestyle dev ${acme} --json --port 0`
  assert.deepEqual([dev.status, dev.stdout, JSON.parse(dev.stderr)], [1, '', { error: 'port_taken', message: again }])
  const secret = 'sixteen-characters-or-more'
  for (const [args, env, line] of [
    [['--key-secret', secret], {}, "housestyle serve --key-secret '…' --data"],
    [[`--key-secret=${secret}`], {}, "housestyle serve '--key-secret=…' --data"],
    [['--key-secret', ''], {}, "housestyle serve --key-secret '' --data"],
    [[], { npm_lifecycle_event: 'test', npm_lifecycle_script: 'node run-tests.ts' }, 'housestyle serve --data'],
    [[], { npm_command: 'exec', npm_lifecycle_event: 'npx' }, 'housestyle serve --data'],
    [
      [],
      { npm_command: 'start', npm_lifecycle_event: 'start', npm_lifecycle_script: 'node x serve' },
      'npm start -- --data',
    ],
    [
      [],
      { npm_command: 'run', npm_lifecycle_event: 'brand', npm_lifecycle_script: 'serve' },
      'npm run brand -- --data',
    ],
  ] as const) {
    const { stderr } = await housestyle(['serve', ...args, '--data', data, '--port', port], { env })
    assert.equal(stderr.replace(/^warning.*\n/gm, ''), `housestyle: ${problem}${line} ${data} --port 0\n`)
  }
  for (const host of ['203.0.113.9', 'nowhere.invalid']) {
    const { status, stderr } = await housestyle(['serve', '--data', data, '--host', host])
    assert.deepEqual(
      [status, stderr],
      [1, `housestyle: ${host} is not an address of this machine: name one with --host\n`],
    )
  }
})

test('a port that this user may not listen on gives a clear message', () => {
  const settings = { host: '127.0.0.1', port: 80 }
  const message =
    'this user may not listen on port 80 of 127.0.0.1: name one from 1024 up with --port, or 0 for a free one'
  for (const syscall of ['listen', 'bind']) {
    const denied = Object.assign(new Error(`${syscall} EACCES`), { code: 'EACCES', syscall })
    assert.throws(() => failToListen(denied, settings, { withPort: String }), { code: 'system_error', message })
  }
})

test('serve exits with 1 if the folder has an error, prints it, and serves nothing', async () => {
  const folder = await folderWith({ 'pages/a.md': '---\nid: X\n---\n# A\n' })
  const data = join(await temporaryFolder(), 'data')
  const plain = await housestyle(['serve', folder, '--data', data, '--port', '0'])
  assert.deepEqual([plain.status, plain.stdout], [1, ''])
  assert.match(plain.stderr, /^pages\/a\.md:2 error id-invalid .*\n1 error\nmade the store .*\n$/)
  const json = await housestyle(['serve', folder, '--data', data, '--port', '0', '--json'])
  assert.deepEqual([json.status, json.stdout, JSON.parse(json.stderr).error], [1, '', 'findings'])
})

test('serve ended by SIGINT exits 130, by SIGTERM 0', async t => {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 0],
  ] as const) {
    const child = spawn(process.execPath, [MAIN, 'serve', '--data', await temporaryFolder(), '--port', '0', '--json'])
    t.after(() => child.kill('SIGKILL'))
    await once(child.stdout, 'data')
    child.kill(signal)
    assert.deepEqual(await once(child, 'exit'), [code, null])
  }
})

test('a second signal ends serve at once, with 130', async t => {
  const child = spawn(process.execPath, [MAIN, 'serve', '--data', await temporaryFolder(), '--port', '0', '--json'])
  t.after(() => child.kill('SIGKILL'))
  const [started] = await once(child.stdout, 'data')
  const port = Number(new URL(JSON.parse(started).url).port)
  const client = connect(port, '127.0.0.1')
  client.on('error', () => undefined)
  t.after(() => client.destroy())
  client.write('GET / HTTP/1.1\r\n') // A stopping service waits for the rest.
  await once(client, 'connect')
  child.kill('SIGINT')
  await until(() =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      () => false,
      () => true,
    ),
  )
  child.kill('SIGINT')
  assert.deepEqual(await once(child, 'exit'), [130, null])
})

test('serve warns at its start of hosts whose guide does not exist', async t => {
  const data = join(await temporaryFolder(), 'data')
  const hosts = 'gone.acme.com=acme/gone,guide.acme.com=acme/guidelines'
  const running = await serve(MAIN, acme, '--data', data, '--hosts', hosts)
  t.after(running.stop)
  await until(() => running.logged().includes('the host gone.acme.com answers 404: there is no project'))
  assert.doesNotMatch(running.logged(), /the host guide/)
})

test('serve starts with a host whose guide has a damaged row: its log names the row, and the others are served', async t => {
  const { store, data, publishing } = await temporaryStore()
  for (const project of ['broken', 'whole'])
    await publishing(`acme/${project}`, { [`${project}/project.yaml`]: 'visibility: public\n' })
  await store.database.run("UPDATE project SET updated_at = 'yesterday' WHERE id = 'broken'")
  const hosts = 'broken.acme.com=acme/broken,whole.acme.com=acme/whole'
  const running = await serve(MAIN, '--data', data, '--hosts', hosts)
  t.after(running.stop)
  const statusAt = async (host: string) => (await ask(`${running.url}/`, { headers: { host } })).status
  assert.deepEqual([await statusAt('broken.acme.com'), await statusAt('whole.acme.com')], [500, 200])
  await until(() => /the row acme broken of the table project/.test(running.logged()))
})

test('serve marks private projects and prints how to share them', async t => {
  const data = join(await temporaryFolder(), 'my data')
  const folder = await folderWith({
    'open/project.yaml': 'visibility: public\n',
    'guide/project.yaml': 'name: Guide\n',
  })
  const printed = await startOf(t, [folder, '--data', data], /\nacme\/open .*\n/)
  const [, url = ''] = /^API +(http:\S+)\/beta\n/.exec(printed) ?? []
  const hint = `private: housestyle share acme/guide --data '${data}'`
  const seen = printed
    .split('\n')
    .slice(1)
    .map(line => line.replace(/ {2,}/g, ' '))
  assert.deepEqual(seen, [
    `Documentation ${url}/docs`,
    `acme/guide ${url}/acme/guide ${hint}`,
    `acme/open ${url}/acme/open`,
    '',
  ])
  const { stdout } = await housestyle(['share', 'acme/guide', '--data', data])
  assert.ok(stdout.startsWith(`${url}/acme/guide/-/share/`))
  while ((await fetch(stdout.trim(), { redirect: 'manual' })).status !== 303) await sleep(20)
})

test('serve on a database names it as the place of the store, and prints no password', needs('postgres'), async t => {
  const server = await startPostgres()
  t.after(() => server.stop())
  const address = await server.newDatabase()
  const data = await temporaryFolder()
  const database = address.replace('postgres@', 'postgres:secret@')
  const place = ['--data', data, '--database', database]
  const empty = spawn(process.execPath, [MAIN, 'serve', ...place, '--port', '0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  t.after(() => empty.kill('SIGKILL'))
  const told = `nothing is published yet in the store ${address}: `
  assert.ok((await printedUntil(empty.stderr, /published yet.*\n/)).includes(told))
  const folder = await folderWith({ 'guide/project.yaml': 'name: Guide\n' })
  const printed = await startOf(t, [folder, ...place], /\nacme\/guide .*\n/)
  assert.match(printed, /private: housestyle share acme\/guide --data \S+ --database <url>\n/)
})

test('serve with a public URL prints where it listens, too', async t => {
  const args = [acme, '--data', join(await temporaryFolder(), 'data'), '--public-url', 'https://brand.invalid']
  const forPrograms = await startOf(t, [...args, '--json'], /\n/)
  const { local_url: address, ...event } = JSON.parse(forPrograms)
  assert.deepEqual(event, { event: 'listening', url: 'https://brand.invalid', base_url: 'https://brand.invalid/beta' })
  const [, printed = ''] = /^Listens at +(\S+)$/m.exec(await startOf(t, args, /\nListens at .*\n/)) ?? []
  for (const local of [address, printed]) assert.equal((await fetch(`${local}/readyz`)).status, 200)
})

test('what libraries and Node print while a service runs is a line of its log', async t => {
  const data = join(await temporaryFolder(), 'data')
  const print = 'console.error("a %s", "library"); process.emitWarning("of Node")'
  const early = new URL(`data:text/javascript,setInterval(() => { ${print} }, 100)`)
  const place = [acme, '--data', data, '--public-url', 'https://brand.invalid', '--port', '0']
  const child = spawn(process.execPath, ['--import', early.href, MAIN, 'serve', ...place], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  t.after(() => child.kill('SIGKILL'))
  const printed = await printedUntil(child.stderr, /"a library"[\s\S]*"of Node"[\s\S]*\n$/)
  const later = printed.slice(printed.indexOf('{"level":40')).split('\n')
  const logged = later.filter(line => /library|of Node/.test(line))
  const lines = new Set(logged.map(line => JSON.parse(line)).map(({ level, msg }) => `${level} ${msg}`))
  assert.ok(lines.has('40 a library') && lines.has('40 of Node'), [...lines].join())
})

test(
  'serve --print-token prints links that expire with the token, and a working command',
  needs('bash', 'curl'),
  async t => {
    const data = join(await temporaryFolder(), 'data')
    const args = [acme, '--data', data, '--print-token', '--public-url', 'https://brand.invalid']
    const printed = await startOf(t, args, /\ncurl .*\n/)
    const curl = printed.trimEnd().split('\n').at(-1) ?? ''
    const [, token = ''] = /^curl -H 'Authorization: Bearer ([\w.-]+)' http:\S+$/.exec(curl) ?? []
    assert.equal(printed.split(token).length, 2)
    const output = execFileSync('bash', ['-c', curl], { stdio: ['ignore', 'pipe', 'ignore'] }).toString()
    assert.equal(JSON.parse(output).workspace, 'acme')
    const links = [...printed.matchAll(/^acme\/\w+ +https:\/\/brand\.invalid(\/\S+\/-\/share\/\S+)$/gm)].map(
      found => found[1],
    )
    assert.ok(links.length > 0)
    const { origin } = new URL(curl.split(' ').at(-1) ?? '')
    for (const link of links) assert.equal((await fetch(origin + link, { redirect: 'manual' })).status, 303)
    const ends = async (command: string) =>
      JSON.parse((await housestyle([command, 'list', '--json', '--data', data])).stdout).map(
        ({ expiresAt }: { expiresAt: string }) => expiresAt,
      )
    const [end] = await ends('token')
    const expected = links.map(() => end)
    assert.deepEqual(await ends('share'), expected)
  },
)

test('on a terminal, serve --print-token logs no token and no link', needs('script', 'a pseudo-terminal'), async t => {
  const data = join(await temporaryFolder(), 'data')
  const command = `exec ${process.execPath} ${MAIN} serve ${acme} --data ${data} --port 0 --print-token`
  const child = spawn('script', ['-qfec', command, '/dev/null'], { stdio: ['ignore', 'pipe', 'ignore'] })
  t.after(() => child.kill('SIGKILL'))
  const printed = await printedUntil(child.stdout, /\r\ncurl .*\r\n/)
  assert.doesNotMatch(printed, /token-issued|share-created/)
  assert.match(printed, /\r\ncurl -H 'Authorization: Bearer [\w.-]+' http:\S+\r\n$/)
})

/** The output of `serve` on stdout until it matches. */
async function startOf(t: TestContext, args: readonly string[], wanted: RegExp): Promise<string> {
  const child = spawn(process.execPath, [MAIN, 'serve', ...args, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  t.after(() => child.kill('SIGKILL'))
  return printedUntil(child.stdout, wanted)
}

async function printedUntil(stream: Readable, wanted: RegExp): Promise<string> {
  let printed = ''
  for await (const piece of stream) {
    printed += piece
    if (wanted.test(printed)) return printed
  }
  return assert.fail(`it ended after ${printed}`)
}

const SECRET = 'sixteen letters!'
const BRAND = {
  'brand/workspace.yaml': 'id: acme\n',
  'brand/guide/project.yaml': 'visibility: public\n',
  'brand/guide/pages/index.md': '# Welcome\n',
}

test('serve --git publishes a repository, obeys its webhooks, and explains an error', needs('git'), async () => {
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
  const notes = history.map((each: { note: string }) => each.note)
  assert.deepEqual(notes, [note, `The first guide (Ada, ${first.slice(0, 12)})`])
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
  const seen = pulled.map(({ commit, author, subject }) => [commit, author, subject])
  assert.deepEqual(seen, [
    [first, 'Ada', 'The first guide'],
    [second, 'Grace Hopper', 'Second & more'],
  ])
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
  for (const name of ['--git-token', '--git-push-token']) {
    const secret = await housestyle(['serve', name, 'x'])
    assert.match(secret.stderr, new RegExp(`unknown option '${name}'`))
  }
})

test('serve --edit without a followed repository is refused with the fix, by flag and by variable', async () => {
  for (const [args, env] of [
    [['serve', '--edit'], {}],
    [['serve', '.'], { HOUSESTYLE_EDIT: 'on' }],
  ] as const) {
    const { status, stderr } = await housestyle([...args], { env })
    assert.equal(status, 2)
    assert.match(stderr, /^housestyle: --edit: only guides of followed repositories can be edited: name one with --git/)
  }
})
