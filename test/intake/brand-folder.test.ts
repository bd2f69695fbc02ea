import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { golden } from '#test/support/golden.ts'
import { folderWith } from '#test/support/temporary.ts'
import { folderFacts, lines, read, readAt } from './reading.ts'

test('a brand folder keeps the projects without errors, regardless of others', async () => {
  const { projects, drafts, findings } = await read({
    'bad/pages/index.md': Buffer.from([0x68, 0xff]),
    'bad/styles/colors.yaml': '- name: &a Red\n',
    'good/pages/index.md': '[gone](gone.md)\n',
  })
  assert.deepEqual(projects, ['bad', 'good'])
  assert.equal(drafts.map(({ project }) => project).join(), 'good')
  assert.deepEqual(lines(findings), [
    'bad/pages/index.md:1 error not-utf8',
    'bad/styles/colors.yaml:1 error yaml-alias',
    'good/pages/index.md:1 warning link-broken',
  ])
})

test('a link out of a brand folder is never followed, whether it replaces a project, pages/, styles/ or a file', async () => {
  const secret = await folderWith(
    { 'colors.yaml': '- name: Secret\n  hex: "#000"\n', 'secret.md': 'secret', 'pages/s.md': '# A\n' },
    'secret',
  )
  const folder = await folderWith({ 'p/project.yaml': '', 'q/pages/index.md': '# Q\n', 'q/files/a.txt': 'a' })
  for (const [target, path] of [
    [join(secret, 'pages'), 'p/pages'],
    [secret, 'p/styles'],
    [secret, 'p/files'],
    [secret, 'linked'],
    [join(secret, 'secret.md'), 'q/pages/secret.md'],
    [secret, 'q/pages/folder'],
    ['/etc/passwd', 'q/files/passwd'],
    [join(secret, 'nowhere'), 'q/files/gone'],
    [join(secret, 'colors.yaml'), 'q/files/files.yaml'],
    [join(secret, 'colors.yaml'), 'workspace.yaml'],
  ] as const)
    await symlink(target, join(folder, path))
  const { drafts, findings } = await readAt(folder)
  assert.deepEqual(lines(findings).toSorted(), [
    'linked: warning not-followed',
    'p/files: warning not-followed',
    'p/pages: warning not-followed',
    'p/styles: warning not-followed',
    'q/files/files.yaml: warning not-followed',
    'q/files/gone: warning not-followed',
    'q/files/passwd: warning not-followed',
    'q/pages/folder: warning not-followed',
    'q/pages/secret.md: warning not-followed',
    'workspace.yaml: warning not-followed',
  ])
  const seen = drafts.map(({ project, pages, colors, files }) => [
    project,
    pages.length,
    colors.length,
    files.map(({ path }) => path),
  ])
  assert.deepEqual(seen, [
    ['p', 0, 0, []],
    ['q', 1, 0, ['files/a.txt']],
  ])
})

test('a link out of a brand folder that replaces its only pages/ is reported', async () => {
  const folder = await folderWith({})
  await symlink('/etc', join(folder, 'pages'))
  assert.deepEqual(lines((await readAt(folder)).findings), ['.: error no-project', 'pages: warning not-followed'])
})

test('a pipe anywhere in a brand folder never blocks reading', { timeout: 300_000 }, async () => {
  const folder = await folderWith({ 'pages/index.md': '# A\n', 'styles/x.txt': '', 'files/a.txt': '' })
  for (const path of [
    'pages/a.md',
    'files/b.png',
    'files/files.yaml',
    'styles/colors.yaml',
    'project.yaml',
    'workspace.yaml',
  ])
    execFileSync('mkfifo', [join(folder, path)])
  const { drafts, findings } = await readAt(folder)
  assert.equal(drafts.length, 1)
  assert.deepEqual(lines(findings).toSorted(), [
    'files/b.png: warning not-followed',
    'files/files.yaml: warning not-followed',
    'pages/a.md: warning not-followed',
    'project.yaml: warning not-followed',
    'styles/colors.yaml: warning not-followed',
    'styles/x.txt: warning not-read',
    'workspace.yaml: warning not-followed',
  ])
})

test('names with control characters or invalid UTF-8 in a brand folder are skipped with a warning', async () => {
  const folder = await folderWith({
    'good/pages/index.md': '# Good\n',
    'good/files/a\nb.txt': '',
    'good/pages/\u001b[31mred.md': '# Red\n',
    'good/files/\u009b2J/a.txt': '',
    'bad\n\u001b]0;x\u0007/pages/index.md': '# Bad\n',
  })
  for (const place of ['good/files', 'good/pages', '.']) {
    const name = Buffer.concat([Buffer.from(`${folder}/${place}/x`), Buffer.from([0xff, 0xfe])])
    await mkdir(name)
    await mkdir(Buffer.concat([name, Buffer.from('/pages')]))
  }
  const { drafts, findings } = await readAt(folder)
  assert.deepEqual(lines(findings), [
    'bad\n\u001b]0;x\u0007: warning name-unusable',
    'good/files/a\nb.txt: warning name-unusable',
    'good/files/x\ufffd\ufffd: warning name-unusable',
    'good/files/\u009b2J: warning name-unusable',
    'good/pages/\u001b[31mred.md: warning name-unusable',
    'good/pages/x\ufffd\ufffd: warning name-unusable',
    'x\ufffd\ufffd: warning name-unusable',
  ])
  const counts = drafts.map(({ project, pages }) => `${project} ${pages.length}`)
  assert.deepEqual(counts, ['good 1'])
})

test('folders in a brand folder may be nested deeper than the longest path', { timeout: 300_000 }, async () => {
  const folder = await folderWith({ 'pages/index.md': '# Good\n' })
  const name = 'd'.repeat(200)
  await mkdir(join(folder, 'files', ...Array(18).fill(name)), { recursive: true })
  // Once moved into a longer path, its end is unreachable.
  const top = join(folder, 'pages', ...Array(5).fill(name))
  await mkdir(top, { recursive: true })
  await rename(join(folder, 'files', name), join(top, 'moved'))
  await writeFile(join(folder, 'files/a.txt'), 'a')
  const { findings } = await readAt(folder)
  execFileSync('rm', ['-r', folder])
  const rules = findings.map(({ rule }) => rule)
  assert.deepEqual(rules, ['unreadable'])
})

golden('intake/brand-folder', folderFacts)
