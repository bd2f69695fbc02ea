import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { serve } from '#test/support/command.ts'
import { golden } from '#test/support/golden.ts'
import { needs } from '#test/support/programs.ts'
import { type Contents, folderWith, temporaryFolder } from '#test/support/temporary.ts'
import { housestyle, housestyleProcess, MAIN } from '../../housestyle.ts'
import { session } from '../../session.ts'

/** Two projects. */
const BRAND: Contents = {
  'guide/pages/index.md': '# Guide\n',
  'guide/styles/colors.yaml': '- { name: Ink, hex: "#000000" }\n',
  'other/pages/index.md': '# Other\n',
}

golden('cli/import', session)

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

test('an import that is interrupted or killed at any moment leaves the store unchanged; a later one works, and no partial files remain', async () => {
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

test('publish prints the address of each guide at the running service', async t => {
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
