import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { readBrandFolder } from '#intake/brand-folder.ts'
import { noTarget } from '#intake/reading.ts'
import { golden } from '#test/support/golden.ts'
import { messagesOf } from '#test/support/problems.ts'
import { folderWith } from '#test/support/temporary.ts'
import { draftOf, folderFacts, lines, READ_OPTIONS, read, readAt } from './reading.ts'

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

test('the name of a page has at most 500 characters', async () => {
  const { pages } = await draftOf({ 'pages/long.md': `# ${'😀'.repeat(1200)}\n` })
  assert.equal(pages[0]?.name, '😀'.repeat(500))
})

test('a project that exceeds a cap has one finding that names the cap, and no draft', async () => {
  const folder = await folderWith({
    'a/pages/index.md': '[b](b.md) ![](x.png)',
    'a/pages/b.md': '# A\n',
    'b/files/1.txt': '1',
    'b/files/2.txt': '2',
    'b/pages/index.md': '[one](../files/1.txt)',
    'c/styles/colors.yaml': '[{name: a, hex: "000"}, {name: b, hex: "000"}]',
    'd/pages/index.md': '[large](../files/large.txt)',
    'd/files/large.txt': 'x'.repeat(11),
    'e/pages/index.md': '[a](a) '.repeat(10_001),
    'e/pages/a.md': '# A\n',
  })
  await readAt(folder, { maxItems: 1, maxFile: 10 }).then(({ drafts, findings }) => {
    assert.deepEqual(lines(findings), [
      'a/pages: error too-many',
      'b/files: error too-many',
      'c/styles/colors.yaml: error too-many',
      'd/files/large.txt: error too-large',
      'e/pages: error too-many',
    ])
    assert.match(
      messagesOf(findings).join('\n'),
      /more than the limit of 1: .*--max-items(.|\n)*more than the limit of 10: .*--max-file/,
    )
    assert.deepEqual(drafts, [])
  })
  assert.deepEqual(lines((await readAt(folder)).findings), [
    'a/pages/index.md:1 warning link-broken',
    'e/pages/index.md: error too-many',
  ])
})

golden('intake/brand-folder.projects', folderFacts)

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="120.4" height="30"/>'
const FOLDER = { 'guide/pages/index.md': '# A\n', '_brand/mark.svg': SVG, 'notes.txt': 'a' }

test('the logo of a workspace is a picture anywhere below its folder', async () => {
  for (const written of ['_brand/mark.svg', './guide/../_brand/mark.svg', '/_brand/mark.svg']) {
    const { workspace, findings } = await read({ ...FOLDER, 'workspace.yaml': `theme: { logo: ${written} }\n` })
    assert.deepEqual(findings, [])
    const { logo } = workspace?.theme ?? {}
    const seen = [logo?.path, logo?.contentType, logo?.size, logo?.width, logo?.height]
    assert.deepEqual(seen, ['_brand/mark.svg', 'image/svg+xml', SVG.length, 121, 30])
    assert.match(logo?.hash ?? '', /^[0-9a-f]{64}$/)
  }
})

for (const [written, why, key = 'logo'] of [
  ['mark.svg', 'which is not a file below the folder of workspace.yaml; correct it, or remove it'],
  ['../mark.svg', 'which is not a file below the folder of workspace.yaml; correct it, or remove it'],
  ['guide', 'which is not a file below the folder of workspace.yaml; correct it, or remove it'],
  ['linked.svg', 'which is not a file below the folder of workspace.yaml; correct it, or remove it'],
  ['notes.txt', 'which is not an SVG, PNG, JPEG, WebP, AVIF or GIF; export it as one'],
  ['large.svg', 'which has more than 1 MB; write the path of a smaller file'],
  ['gone.woff2', 'which is not a file below the folder of workspace.yaml; correct it, or remove it', 'fonts'],
  ['notes.txt', 'which is not a WOFF2, WOFF, TTF or OTF font; export it as one', 'fonts'],
] as const)
  test(`${key} ${written} of a workspace is an error, which keeps all drafts`, async () => {
    const folder = await folderWith({ ...FOLDER, 'workspace.yaml': `theme:\n  ${key}: ${written}\n` })
    await symlink(join(folder, '_brand/mark.svg'), join(folder, 'linked.svg'))
    await writeFile(join(folder, 'large.svg'), SVG + ' '.repeat(1_000_000))
    const { workspace, findings } = await readBrandFolder(folder, { ...READ_OPTIONS, targetFor: () => noTarget })
    assert.equal(workspace, undefined)
    const [error] = findings.filter(({ severity }) => severity === 'error')
    assert.deepEqual([error?.path, error?.line], ['workspace.yaml', 2])
    assert.ok(error?.message.endsWith(`, ${why}`), `${error?.message}`)
  })

test('more than four fonts of a workspace are an error at the first of the others', async () => {
  const fonts = ['a', 'b', 'c', 'd', 'e'].map(name => `    - ${name}.woff2\n`).join('')
  const { workspace, findings } = await read({ ...FOLDER, 'workspace.yaml': `theme:\n  fonts:\n${fonts}` })
  assert.equal(workspace, undefined)
  const seen = findings.map(({ line, message }) => [line, message])
  assert.deepEqual(seen, [[7, '"fonts" has more than 4 files; keep the cuts of one family that pages need']])
})
