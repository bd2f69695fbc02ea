import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import type { Report } from '#adopt/report/report.ts'
import { zipOf } from '#test/delivery/lint/ooxml/office-file.ts'
import { golden } from '#test/support/golden.ts'
import { folderWith, temporaryFolder } from '#test/support/temporary.ts'
import { housestyle } from '../../housestyle.ts'
import { session } from '../../session.ts'

const TOKENS = JSON.stringify({ color: { $type: 'color', ink: { $value: '#16202c' } } })

async function adopted(cwd: string, ...args: string[]): Promise<Report & { folder: string; stderr: string }> {
  const { status, stdout, stderr } = await housestyle(['init', ...args, '--json'], { cwd })
  assert.equal(status, 0, stderr)
  return { ...JSON.parse(stdout), stderr }
}

golden('cli/init-from', session)

test('an archive bomb ends with a message, and nothing is written', async () => {
  const cwd = await folderWith({ 'a.zip': zipOf({ 'a.md': Buffer.alloc(100 << 20) }) })
  const { status, stderr } = await housestyle(['init', 'x/brand', '--from', 'a.zip'], { cwd })
  assert.deepEqual([status, existsSync(join(cwd, 'x'))], [1, false])
  assert.match(stderr, /a\.zip unpacks to 100 MiB/)
})

test('with several sources, paths begin with the name of their source, with a number if two have the same', async () => {
  const cwd = await temporaryFolder()
  const built = { 'a/logos/dist/app.js': '', 'b/logos/dist/kit.svg': '<svg/>' }
  const logos = { 'a/logos/mark.svg': '<svg/>', 'b/logos/mark.svg': '<svg/>' }
  await folderWith({ ...built, ...logos, 'index.md': '# Home\n' }, 'have', cwd)
  writeFileSync(join(cwd, 'site.zip'), zipOf({ 'site/logo.md': '# Logo\n', 'site/b.svg': '<svg/>' }))
  const sources = ['have/a/logos', 'have/b/logos', 'site.zip', 'have/index.md'].flatMap(each => ['--from', each])
  const { placed, leftOut } = await adopted(cwd, 'brand', ...sources)
  assert.deepEqual(leftOut, [{ path: 'logos/dist/', reason: 'build output' }])
  const froms = placed.map(({ from }) => from)
  assert.deepEqual(froms, [
    'index.md',
    'logos-2/dist/kit.svg',
    'logos-2/mark.svg',
    'logos/mark.svg',
    'site.zip/b.svg',
    'site.zip/logo.md',
  ])
  assert.equal(new Set(placed.map(({ to }) => to)).size, placed.length)
})

test('a target inside the source, one that has only .git, and one that is a link are filled', async () => {
  const cwd = await folderWith({ 'index.md': '# Home\n', 'brand/.git/HEAD': 'ref', 'real/.keep': '' })
  symlinkSync('real', join(cwd, 'linked'))
  const { placed, leftOut } = await adopted(cwd, 'brand', '--from', '.', '--exclude', 'real')
  assert.deepEqual(placed, [{ from: 'index.md', to: 'guidelines/pages/index.md' }])
  const paths = leftOut.map(({ path }) => path)
  assert.deepEqual(paths, ['linked', 'real/'])
  assert.deepEqual(readdirSync(join(cwd, 'brand')).sort(), [
    '.git',
    '_adopted.md',
    '_schemas',
    'guidelines',
    'workspace.yaml',
  ])
  const again = await adopted(cwd, 'again', '--from', '.', '--exclude', 'real')
  assert.ok(again.leftOut.some(({ path, reason }) => path === 'brand/' && reason === 'a brand folder'))
  assert.deepEqual(again.placed, placed)
  await adopted(cwd, 'linked', '--from', 'index.md')
  assert.ok(existsSync(join(cwd, 'real/guidelines/pages/index.md')))
})

test('names that a brand folder ignores are changed, and pages that are too long are left out', async () => {
  const cwd = await folderWith({
    'a/_img/_*.svg': '<svg/>',
    'a/*.svg': '<svg/>',
    'a/files/b.svg': '<svg/>',
    'a/long.md': 'x'.repeat(2 << 20),
    'a/latin.md': Buffer.from('# Größe\n', 'latin1'),
  })
  const { placed, leftOut, guessed } = await adopted(cwd, 'brand', '--from', 'a')
  assert.deepEqual(placed, [
    { from: '*.svg', to: 'guidelines/files/file.svg' },
    { from: '_img/_*.svg', to: 'guidelines/files/img/file.svg' },
    { from: 'files/b.svg', to: 'guidelines/files/b.svg' },
    { from: 'latin.md', to: 'guidelines/pages/latin.md' },
  ])
  assert.deepEqual(leftOut, [{ path: 'long.md', reason: 'longer than 1 MiB, which a page may not be: divide it' }])
  assert.ok(guessed.some(({ path, value }) => path === 'latin.md' && value === 'windows-1252'))
  assert.match(readFileSync(join(cwd, 'brand/guidelines/pages/latin.md'), 'utf8'), /# Größe/)
})

test('stdin may come with a folder', async () => {
  const cwd = await folderWith({ 'docs/index.md': '# Home\n' })
  async function* input() {
    yield Buffer.from(TOKENS)
  }
  const args = ['init', 'brand', '--from', 'docs', '--from', '-', '--json']
  const { stdout } = await housestyle(args, { cwd }, { input: input() })
  assert.deepEqual(JSON.parse(stdout).merged, [{ from: 'stdin.json', into: 'guidelines/styles/colors.yaml' }])
})

test('an interrupted run leaves nothing behind', async () => {
  const cwd = await folderWith({ 'a/index.md': '# Home\n' })
  const signal = AbortSignal.abort(new DOMException('SIGINT', 'AbortError'))
  assert.equal((await housestyle(['init', 'x/brand', '--from', 'a'], { cwd }, { signal })).status, 130)
  assert.deepEqual(readdirSync(cwd), ['a'])
})
