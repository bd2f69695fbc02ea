import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, renameSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import test, { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Contents, folderWith, temporaryFolder } from '#test/support/temporary.ts'
import { housestyle, MAIN } from '../../housestyle.ts'

/*
 * The tests run `dev` as a child process on a real folder, and wait for its output. Most share one, and begin with
 * `show`.
 */

const COLORS = '- name: Ink\n  hex: "#000000"\n'
const CONTENTS = { 'guide/pages/index.md': '# One\n', 'guide/styles/colors.yaml': COLORS }
const PERMANENT = { HOUSESTYLE_PUBLIC_URL: 'https://brand.example.com', HOUSESTYLE_RATE: '1/3600' }
const folder = await folderWith({ 'rest/pages/index.md': '# Rest\n' })
const dev = await startDev(folder, 'published', PERMANENT)

test('dev publishes each save and reports only the changes', async () => {
  const first = await show({ 'other/pages/index.md': '# Other\n' })
  assert.deepEqual(await dev.page('guide'), [200, '# One\n'])
  await writeFile(join(folder, 'guide/pages/index.md'), '# Two\n')
  const { event, workspace, project, revision, pages, styles } = await dev.next()
  assert.deepEqual([event, workspace, project, revision], ['published', 'acme', 'guide', first + 1])
  const none = { added: [], changed: [], removed: [] }
  assert.deepEqual([pages, styles], [{ ...none, changed: ['index'] }, none])
  await dev.until('guide', [200, '# Two\n'])
  await writeFile(join(folder, 'guide/pages/index.md'), '# Two\n')
  await writeFile(join(folder, 'guide/pages/more.md'), '# More\n')
  assert.deepEqual((await dev.next()).pages, { ...none, added: ['more'] })
})

test('dev reports new and fixed findings, and keeps serving the last good content', async () => {
  await show()
  await writeFile(join(folder, 'guide/styles/colors.yaml'), '- name: "Ink\n  hex: "#000000"\n')
  await writeFile(join(folder, 'guide/pages/index.md'), '# Two\n')
  const { event, findings } = await dev.next()
  assert.deepEqual([event, findings[0].path, findings[0].severity], ['findings', 'guide/styles/colors.yaml', 'error'])
  assert.deepEqual(await dev.page('guide'), [200, '# One\n'])
  await writeFile(join(folder, 'guide/styles/colors.yaml'), COLORS)
  assert.deepEqual((await dev.next()).pages.changed, ['index'])
  assert.deepEqual(await dev.next(), { event: 'findings', findings: [] })
  await dev.until('guide', [200, '# Two\n'])
})

test('dev shows a page that is a draft, with a mark, and reports that it is left out elsewhere', async () => {
  await show()
  const path = join(folder, 'guide/pages/rebrand.md')
  await writeFile(path, '---\ntitle: Zephyr\ndraft: true\n---\n\nNew name.\n')
  assert.deepEqual((await dev.next()).pages.added, ['rebrand'])
  assert.equal((await dev.next()).findings[0].rule, 'page-draft')
  const shown = await (await fetch(dev.url('/acme/guide/rebrand'))).text()
  assert.match(shown, /<aside class="draft" aria-label="Draft"><p>Draft<\/p>/)
  assert.match(shown, /New name\./)
  await rm(path)
  assert.deepEqual((await dev.next()).pages.removed, ['rebrand'])
  assert.deepEqual(await dev.next(), { event: 'findings', findings: [] })
})

test('dev rejects foreign host names, so that DNS rebinding cannot read drafts', async () => {
  const { href, host } = new URL(dev.url('/acme/rest'))
  const statusFor = async (name: string): Promise<number> => {
    const [reply] = await once(get(href, { headers: { host: name } }), 'response')
    reply.resume()
    return reply.statusCode
  }
  assert.deepEqual([await statusFor(host), await statusFor('evil.example')], [200, 421])
})

test('dev treats the write and rename of an editor as one save', async () => {
  await show()
  const page = join(folder, 'guide/pages/index.md')
  await writeFile(join(folder, 'guide/pages/.index.md.swp'), 'swap')
  await writeFile(join(folder, 'guide/pages/4913'), '')
  await rm(join(folder, 'guide/pages/4913'))
  await rename(page, `${page}~`)
  await writeFile(page, '# Two\n')
  await rm(`${page}~`)
  const { event, pages, files } = await dev.next()
  const none = { added: [], changed: [], removed: [] }
  assert.deepEqual([event, pages, files], ['published', { ...none, changed: ['index'] }, none])
  await writeFile(`${page}.tmp`, '# Three\n')
  await rename(`${page}.tmp`, page)
  assert.deepEqual((await dev.next()).pages, { ...none, changed: ['index'] })
  await dev.until('guide', [200, '# Three\n'])
})

test('dev keeps serving while the folder is missing, and follows it when it returns', async () => {
  const first = await show()
  await rename(folder, `${folder}-away`)
  assert.deepEqual(await dev.next(), { event: 'gone' })
  assert.deepEqual(await dev.page('guide'), [200, '# One\n'])
  await writeFile(join(`${folder}-away`, 'guide/pages/index.md'), '# Two\n')
  await rename(`${folder}-away`, folder)
  assert.deepEqual(await dev.next(), { event: 'back' })
  assert.equal((await dev.next()).revision, first + 1)
  await writeFile(join(folder, 'guide/pages/index.md'), '# Three\n')
  assert.equal((await dev.next()).revision, first + 2)
})

test('dev stops serving a project that is moved away, and serves it again when it returns', async () => {
  await show({ 'other/pages/index.md': '# Other\n' })
  await rename(join(folder, 'other'), join(folder, '..', 'away'))
  assert.deepEqual(await dev.next(), { event: 'removed', workspace: 'acme', project: 'other' })
  await dev.until('other', [404, undefined])
  await rename(join(folder, '..', 'away'), join(folder, 'other'))
  assert.equal((await dev.next()).project, 'other')
  await dev.until('other', [200, '# Other\n'])
})

test('dev makes one publication of a thousand files that are added at once in new folders', async () => {
  const first = await show()
  const ids = Array.from({ length: 1000 }, (_, number) => `part-${number % 50}/page-${number}`)
  const parts = await folderWith(Object.fromEntries(ids.map(id => [`${id}.md`, `# ${id}\n`])))
  // Written synchronously, because a pause would make two publications of it.
  for (const part of await readdir(parts)) renameSync(join(parts, part), join(folder, 'guide/pages', part))
  const { revision, pages } = await dev.next()
  assert.deepEqual([revision, new Set(pages.added)], [first + 1, new Set(ids)])
  await rm(join(folder, 'guide/pages/part-7'), { recursive: true })
  assert.equal((await dev.next()).pages.removed.length, 20)
})

test('dev ignores settings for a permanent service in the environment', async () => {
  for (let asked = 0; asked < 3; asked++) assert.deepEqual(await dev.page('rest'), [200, '# Rest\n'])
})

test('dev issues a token only once the folder has no error', async () => {
  const folder = await folderWith({ ...CONTENTS, 'workspace.yaml': 'id: X\n' })
  const dev = await startDev(folder, 'findings')
  assert.deepEqual(dev.told(), ['listening', 'findings'])
  await writeFile(join(folder, 'workspace.yaml'), 'id: nova\n')
  assert.equal((await dev.next()).workspace, 'nova')
  assert.deepEqual(dev.told(), ['listening', 'findings', 'token'])
  assert.equal((await dev.next()).event, 'published')
  await dev.until('guide', [200, '# One\n'])
})

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 0],
] as const)
  test(`dev ended by ${signal} exits with ${code} and removes its store`, async () => {
    const temporary = await temporaryFolder()
    const dev = await startDev(await folderWith(CONTENTS), 'published', { TMPDIR: temporary })
    assert.equal((await readdir(temporary)).length, 1)
    const listening = await fetch(dev.url('/assets/dev/events'))
    assert.equal(await dev.end(signal), code)
    const text = await listening.text()
    assert.match(text, /^retry: 500\n\ndata: {"versions":{"\/acme\/guide":"[^"]+"},"errors":0,.*}\n\n$/)
    assert.deepEqual(await readdir(temporary), [])
  })

test('dev prints all addresses, and a line for each change and finding', async t => {
  const folder = await folderWith(CONTENTS)
  const child = spawn(process.execPath, [MAIN, 'dev', folder, '--port', '0', '--log', 'silent', '--print-token'])
  t.after(() => child.kill('SIGKILL'))
  const out = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const err = createInterface({ input: child.stderr })[Symbol.asyncIterator]()
  const until = async (lines: AsyncIterator<string>, pattern: RegExp): Promise<void> => {
    const { value, done } = await lines.next()
    assert.ok(!done)
    if (!pattern.test(value)) await until(lines, pattern)
  }
  await until(out, /^API +http:\/\/127\.0\.0\.1:\d+\/beta$/)
  await until(out, /^acme\/guide +http:\/\/127\.0\.0\.1:\d+\/acme\/guide$/)
  await until(out, /^Try the API with curl, for a day:$/)
  await until(out, /^curl /)
  await until(err, /^Open http:\/\/127\.0\.0\.1:\d+\/acme\/guide in a browser/)
  await writeFile(join(folder, 'guide/pages/logo.md'), '# Logo\n\n[gone](gone.md)\n')
  await until(out, /^acme\/guide revision 2: \+ page logo \(\d+ ms\)$/)
  await until(err, /^\+ guide\/pages\/logo\.md:3 warning link-/)
  await until(err, /^1 warning$/)
  await writeFile(join(folder, 'guide/pages/logo.md'), '# Logo\n')
  await until(out, /^acme\/guide revision 3: ~ page logo \(\d+ ms\)$/)
  await until(err, /^fixed guide\/pages\/logo\.md:3 warning link-/)
  await until(err, /^no problems$/)
  await mkdir(join(folder, 'more/pages'), { recursive: true })
  await writeFile(join(folder, 'more/pages/index.md'), '# More\n')
  await until(out, /^acme\/more {2}http:\/\/127\.0\.0\.1:\d+\/acme\/more$/)
  await until(out, /^acme\/more revision 1: /)
})

test('dev prints no token without --print-token, and with --open opens the website', async t => {
  const bin = await folderWith({ 'xdg-open': '#!/bin/sh\necho "$@" > "$OPENED.new"; mv "$OPENED.new" "$OPENED"\n' })
  await chmod(join(bin, 'xdg-open'), 0o755)
  const opened = join(bin, 'opened')
  const { BROWSER: _, ...environment } = process.env
  const env = { ...environment, PATH: `${bin}:${process.env.PATH}`, OPENED: opened }
  const child = spawn(process.execPath, [MAIN, 'dev', await folderWith(CONTENTS), '--port', '0', '--open'], { env })
  t.after(() => child.kill('SIGKILL'))
  let out = ''
  child.stdout.on('data', piece => {
    out += piece
  })
  for await (const piece of child.stderr) if (/^Open /m.test(String(piece))) break
  while (!existsSync(opened)) await sleep(20)
  assert.equal(await readFile(opened, 'utf8'), `${/^acme\/guide +(.*)$/m.exec(out)?.[1]}\n`)
  assert.doesNotMatch(out, /curl|token|private/)
})

test('dev refuses a path that is not a folder', async () => {
  const { status, stderr } = await housestyle(['dev', '/nowhere/at/all', '--json'])
  assert.deepEqual([status, JSON.parse(stderr).error], [1, 'folder_missing'])
})

/** Replaces all projects of the shared folder but one by the guide and more; returns the revision of the guide. */
async function show(more: Contents = {}): Promise<number> {
  const told = async (event: string, project: string): Promise<number> => {
    const next = await dev.next()
    return next.event === event && next.project === project ? next.revision : told(event, project)
  }
  for (const project of (await readdir(folder)).filter(name => name !== 'rest')) {
    await rm(join(folder, project), { recursive: true })
    await told('removed', project)
  }
  const contents = await folderWith({ ...CONTENTS, ...more })
  const revisions = new Map<string, number>()
  for (const project of await readdir(contents)) {
    await rename(join(contents, project), join(folder, project))
    revisions.set(project, await told('published', project))
  }
  return revisions.get('guide') ?? 0
}

/** Starts `dev` and waits until it reports this event. `next` returns the following events one by one. */
async function startDev(folder: string, ready = 'published', env: Record<string, string> = {}) {
  const child = spawn(
    process.execPath,
    [MAIN, 'dev', folder, '--port', '0', '--json', '--log', 'silent', '--print-token'],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env } },
  )
  const exit = once(child, 'exit')
  after(() => end('SIGTERM'))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const told: string[] = []
  let [baseUrl, token, workspace] = ['', '', '']
  const next = async () => {
    const { value, done } = await lines.next()
    assert.ok(!done, 'dev has ended')
    const event = JSON.parse(value)
    told.push(event.event)
    if (event.event === 'listening') baseUrl = event.base_url
    if (event.event === 'token') ({ token, workspace } = event)
    return event
  }
  const projects = (await readdir(folder)).filter(name => !name.includes('.')).length
  for (let left = ready === 'published' ? projects : 1; left > 0; ) {
    const { event } = await next()
    if (event === ready) left--
  }
  const page = async (project: string) => {
    const reply = await fetch(`${baseUrl}/workspace/${workspace}/project/${project}/page/index`, {
      headers: { authorization: `Bearer ${token}` },
    })
    return [reply.status, Reflect.get(Object(await reply.json()), 'content')]
  }
  const until = async (project: string, expected: readonly unknown[]): Promise<void> => {
    const found = await page(project)
    if (JSON.stringify(found) === JSON.stringify(expected)) return
    await sleep(20)
    await until(project, expected)
  }
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    const [code] = await exit
    return code
  }
  return { next, page, until, end, told: () => [...told], url: (path: string) => new URL(path, baseUrl).href }
}
