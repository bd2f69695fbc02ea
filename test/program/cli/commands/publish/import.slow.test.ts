import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdir, utimes } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import test from 'node:test'
import { serve } from '#test/support/command.ts'
import { needs } from '#test/support/programs.ts'
import { type Contents, folderWith, temporaryFolder } from '#test/support/temporary.ts'
import { housestyle, housestyleProcess, MAIN } from '../../housestyle.ts'

/** Two projects. */
const BRAND: Contents = {
  'guide/pages/index.md': '# Guide\n',
  'guide/styles/colors.yaml': '- { name: Ink, hex: "#000000" }\n',
  'other/pages/index.md': '# Other\n',
}

test('init, import, status and publish print exactly the keys that scripts rely on', async () => {
  const cwd = await temporaryFolder()
  const json = async (...args: string[]) => {
    const { status, stdout, stderr } = await housestyle([...args, '--json'], { cwd })
    assert.deepEqual([status, stderr.replace(/^\{"level".*\n/gm, '')], [0, ''])
    return JSON.parse(stdout)
  }
  const init = await json('init', 'acme')
  assert.deepEqual(Object.keys(init), ['folder', 'files'])
  const dry = await json('import', 'acme', '--dry-run')
  assert.deepEqual(await readdir(cwd), ['acme'])
  const imported = await json('import', 'acme')
  assert.deepEqual(imported, dry)
  assert.deepEqual(Object.keys(imported), ['workspace', 'projects', 'findings'])
  const [project] = imported.projects
  assert.deepEqual(Object.keys(project), ['project', 'imported', 'changed', 'snapshot', 'pages', 'styles', 'files'])
  for (const part of ['pages', 'styles', 'files'])
    assert.deepEqual(Object.keys(project[part]), ['added', 'changed', 'removed'])
  const [state] = await json('status', 'acme')
  assert.deepEqual(state, {
    workspace: 'acme',
    project: 'acme',
    name: 'Acme guidelines',
    status: 'Draft',
    createdAt: state.createdAt,
    updatedAt: state.createdAt,
    publishedAt: null,
    draft: project.snapshot,
    published: null,
    revision: null,
    approved: false,
    reviews: [],
    answers: [],
  })
  const [publication] = await json('publish', 'acme/acme', '--note', 'First')
  assert.deepEqual(publication, {
    workspace: 'acme',
    project: 'acme',
    revision: 1,
    snapshot: project.snapshot,
    publishedAt: publication.publishedAt,
    changed: true,
  })
  assert.match(publication.publishedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.deepEqual(await json('publish', '--all'), [{ ...publication, changed: false }])
  const [after] = await json('status', 'acme/acme')
  assert.deepEqual([after.status, after.publishedAt, after.revision], ['UpToDate', publication.publishedAt, 1])
})

test('import --workspace refuses a folder of any other workspace, and changes no draft', async () => {
  const cwd = await temporaryFolder()
  const [acme, nova] = [
    await folderWith({ 'guide/pages/a.md': '# A\n' }),
    await folderWith({ 'guide/pages/a.md': '# A\n' }, 'nova'),
  ]
  for (const folder of [acme, nova]) assert.equal((await housestyle(['import', folder], { cwd })).status, 0)
  const state = async () => (await housestyle(['status', '--json'], { cwd })).stdout
  const before = await state()
  await folderWith({ 'workspace.yaml': 'id: acme\n', 'guide/pages/a.md': '# Not of Acme\n' }, 'nova', join(nova, '..'))
  for (const args of [[], ['--dry-run']]) {
    const refused = await housestyle(['import', nova, '--workspace', 'nova', ...args], { cwd })
    const problem = 'its workspace is "acme", and --workspace allows only "nova"'
    const fix = 'import the folder of "nova", or correct id: in workspace.yaml'
    const message = `housestyle: cannot import this folder: ${problem}; ${fix}\n`
    assert.deepEqual([refused.status, refused.stdout, refused.stderr], [1, '', message])
  }
  const json = await housestyle(['import', nova, '--workspace', 'nova', '--json'], { cwd })
  assert.equal(JSON.parse(json.stderr).error, 'workspace_other')
  assert.equal(await state(), before)
  const allowed = await housestyle(['import', nova, '--workspace', 'acme'], { cwd })
  assert.equal(allowed.stdout, 'acme/guide: draft changed\n  ~ page a\n')
})

test('import exits with 1 if a project has an error, after importing the others', async () => {
  const folder = await folderWith({ 'bad/pages/a.md': '---\nid: X\n---\n# A\n', 'good/pages/a.md': '# A\n' })
  const cwd = await temporaryFolder()
  const { status, stdout, stderr } = await housestyle(['import', folder], { cwd })
  assert.equal(status, 1)
  assert.equal(stdout, 'acme/bad: not imported; its draft is unchanged\nacme/good: draft changed\n  + page a\n')
  assert.match(
    stderr,
    /^made the store .*\nbad\/pages\/a\.md:2 error id-invalid .*\n1 error\nto check again after correcting the errors:\nnext: housestyle check \S+\nto publish the other changes:\nnext: housestyle publish acme\/good\n$/,
  )
  const again = await housestyle(['import', folder], { cwd })
  assert.match(again.stdout, /^acme\/bad: not imported.*\nacme\/good: nothing changed\n$/)
})

test('a dry run of an import shows the changes and writes nothing', async () => {
  const folder = await folderWith({ 'bad/pages/a.md': '---\nid: X\n---\n# A\n', 'good/pages/a.md': '# A\n' })
  const cwd = await temporaryFolder()
  const { status, stdout, stderr } = await housestyle(['import', folder, '--dry-run'], { cwd })
  assert.equal(status, 1)
  assert.equal(
    stdout,
    'acme/bad: not imported; its draft would not change\nacme/good: draft would change\n  + page a\n',
  )
  assert.match(stderr, /\n1 error\na dry run: nothing was written\n$/)
  assert.deepEqual(await readdir(cwd), [])
})

test('import shows and clears a progress bar on a terminal, and shows none elsewhere', async () => {
  const files = Array.from({ length: 200 }, (_, at) => [`files/f${at}.txt`, `file ${at}`])
  const pages = Array.from({ length: 400 }, (_, at) => [
    `pages/p${at}.md`,
    `# Page ${at}\n\n[next](p${(at + 1) % 400}.md)\n`,
  ])
  const folder = await folderWith(Object.fromEntries([...files, ...pages]))
  const data = await temporaryFolder()
  const watched = await housestyle(['import', folder, '--data', join(data, '1')], {}, { isTerminal: true })
  assert.equal(watched.status, 0)
  const clear = '\r\u001b[2K'
  const bars = watched.stderr.split(clear)
  const made = `made the store ${join(data, '1')}\nnext: housestyle publish acme/acme --data ${join(data, '1')}\n`
  assert.deepEqual([bars.shift(), bars.pop(), bars.at(-1)], ['', made, `[${'#'.repeat(24)}] 600/600 acme`])
  for (const bar of bars) assert.match(bar, /^\[#*-*\] \d+\/600 acme$/)
  assert.ok(bars.length > 1)
  assert.match(watched.stdout, /acme\/acme: draft changed\n(.*\n){40} {2}… and 560 more\n$/)
  const piped = await housestyle(['import', folder, '--data', join(data, '2'), '--json'])
  assert.deepEqual([piped.status, piped.stderr], [0, ''])
  const [{ pages: changes, files: others }] = JSON.parse(piped.stdout).projects
  assert.deepEqual([changes.added.length, others.added.length], [400, 200])
})

test('import has colours on a terminal unless NO_COLOR is set', needs('script', 'a pseudo-terminal'), async () => {
  const data = await temporaryFolder()
  const folder = await folderWith(BRAND)
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const shown = (command: string, env: Record<string, string> = {}) =>
    spawnSync('script', ['-qec', command, '/dev/null'], {
      env: { PATH, NODE_COMPILE_CACHE, TERM: 'xterm', ...env },
    }).stdout.toString()
  const run = `'${process.execPath}' '${MAIN}' import '${folder}' --data '${data}`
  const colored = shown(`${run}/1'`)
  assert.match(colored, /\[#*-*\] \d+\/\d+ guide/)
  assert.ok(colored.includes('  \u001b[32m+ page index\u001b[39m'))
  const plain = shown(`${run}/2'`, { NO_COLOR: '1' })
  assert.match(plain, /\[#*-*\] \d+\/\d+ guide/)
  assert.ok(!plain.includes('\u001b[3'))
  assert.ok(!shown(`${run}/3' 2>/dev/null`).includes('\u001b[2K'))
})

const INTERRUPTION = 'the import was interrupted, and no draft was changed: run it again'
const INTERRUPTED = `housestyle: ${INTERRUPTION}\n`

test('an interrupted import exits with 130 and reports that no draft was changed, even with --json or --dry-run', async () => {
  const folder = await folderWith({ 'guide/pages/index.md': '# A\n' })
  const cwd = await temporaryFolder()
  assert.equal((await housestyle(['import', folder], { cwd })).status, 0)
  const drafts = async () => (await housestyle(['status', '--json'], { cwd })).stdout
  const before = await drafts()
  await folderWith({ 'guide/pages/index.md': '# B\n' }, 'acme', join(folder, '..'))
  const signal = AbortSignal.abort(new DOMException('SIGTERM', 'AbortError'))
  for (const args of [[], ['--dry-run']]) {
    const plain = await housestyle(['import', folder, ...args], { cwd }, { signal })
    assert.deepEqual([plain.status, plain.stdout, plain.stderr], [130, '', INTERRUPTED])
    const json = await housestyle(['import', folder, ...args, '--json'], { cwd }, { signal })
    assert.deepEqual([json.status, json.stdout], [130, ''])
    assert.deepEqual(JSON.parse(json.stderr), { error: 'interrupted', message: INTERRUPTION })
    assert.equal(await drafts(), before)
  }
})

test('an import that is interrupted or killed at any moment leaves the store unchanged; a later one works, and no partial files remain', {
  timeout: 300_000,
}, async () => {
  const folder = await folderWith(BRAND)
  const more: Contents = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [`guide/files/big${at}.bin`, Buffer.alloc(200_000, at)]),
  )
  const data = join(await temporaryFolder(), 'data')
  const before = await housestyle(['import', folder, '--data', data])
  assert.equal(before.status, 0)
  const status = async () => (await housestyle(['status', '--data', data, '--json'])).stdout
  const known = await status()
  await folderWith(more, 'acme', join(folder, '..'))
  const moments = [150, 250].flatMap(afterMs =>
    (['SIGINT', 'SIGTERM', 'SIGKILL'] as const).map(signal => ({ signal, afterMs })),
  )
  let stopped = 0
  for (const kill of moments) {
    const ran = await housestyleProcess(['import', folder, '--data', data], { kill })
    // The import may have ended just before the signal.
    if (ran.status === 0 || (ran.status === null && (await status()) !== known)) break
    stopped++
    if (ran.status !== null) assert.deepEqual([ran.status, ran.stdout, ran.stderr], [130, '', INTERRUPTED])
    assert.equal(await status(), known)
  }
  assert.ok(stopped > 0)
  const after = await housestyle(['import', folder, '--data', data, '--json'])
  assert.deepEqual([after.status, after.stderr], [0, ''])
  // Partial files of a killed import are removed once they are old, because another import may still be writing them.
  const incoming = join(data, 'files/.incoming')
  const dayAgo = new Date(Date.now() - 24 * 3600_000)
  for (const name of await readdir(incoming)) await utimes(join(incoming, name), dayAgo, dayAgo)
  assert.equal((await housestyle(['import', folder, '--data', data])).status, 0)
  assert.deepEqual(await readdir(incoming), [])
})

test('import suggests to publish exactly the projects that it changed, except unpublished ones', async () => {
  const cwd = await temporaryFolder()
  const run = async (...args: string[]) => (await housestyle(args, { cwd })).stderr.replace(/^made .*\n/, '')
  const ids = Array.from('abcdefgh')
  const pages = (text: string, changed: readonly string[]) =>
    Object.fromEntries(changed.map(id => [`${id}/pages/index.md`, `# ${text}\n`]))
  const suggested = (...projects: string[]) =>
    `next: housestyle publish ${projects.map(id => `acme/${id}`).join(' ')}\n`
  const folder = await folderWith(pages('First', ids))
  const edit = (text: string, changed: readonly string[]) =>
    folderWith(pages(text, changed), basename(folder), dirname(folder))
  assert.equal(await run('import', folder), suggested(...ids))
  await run('publish', 'acme/a', 'acme/b', 'acme/c', 'acme/d')
  await run('unpublish', 'acme/c')
  await run('unpublish', 'acme/d')

  await edit('Second', ['b', 'c', 'e'])
  const unpublished = 'unpublished projects changed too: they are not served until you publish them by name\n'
  assert.equal(await run('import', folder), unpublished + suggested('b', 'e'))
  await edit('Third', ['d'])
  assert.equal(await run('import', folder), `${unpublished}to see the published revisions:\nnext: housestyle status\n`)
  await run('publish', 'acme/d')
  await edit('Fourth', ['d'])
  assert.equal(await run('import', folder), suggested('d'))
})

test('publish prints the address of each guide at the running service', { timeout: 300_000 }, async t => {
  const [cwd, folder] = [await temporaryFolder(), await folderWith({ 'a/project.yaml': 'name: A\n' })]
  const data = join(cwd, 'data')
  await housestyle(['import', folder, '--data', data], { cwd })
  const publicUrl = 'https://brand.example.com/style'
  const service = await serve(MAIN, '--data', data, '--log', 'silent', '--public-url', publicUrl)
  t.after(service.stop)
  const published = await housestyle(['publish', 'acme/a', '--data', data], { cwd })
  const next = `to give readers a link:\nnext: housestyle share acme/a --data ${data}\n`
  const said = published.stderr.replace(/^\{"level".*\n/gm, '')
  assert.deepEqual([published.status, said], [0, `served at ${publicUrl}/acme/a\n${next}`])
})

test('publish suggests a share link for the first private guide, and none for public ones', async () => {
  const cwd = await temporaryFolder()
  const contents = {
    'a/project.yaml': 'visibility: public\n',
    'b/pages/index.md': '# B\n',
    'c/pages/index.md': '# C\n',
  }
  const data = join(cwd, 'data')
  await housestyle(['import', await folderWith({ 'workspace.yaml': 'id: acme\n', ...contents }), '--data', data], {
    cwd,
  })
  const start = `to start the service:\nnext: housestyle serve --data ${data}\n`
  const share = `to give readers a link:\nnext: housestyle share acme/b --data ${data}\n`
  for (const [names, next] of [
    [['acme/a'], start],
    [['acme/a', 'acme/b'], start + share],
    [['--all'], start + share],
  ] as const) {
    const published = await housestyle(['publish', ...names, '--data', data], { cwd })
    const said = published.stderr.replace(/^\{"level".*\n/gm, '')
    assert.deepEqual([published.status, said], [0, next], names.join())
  }
})
