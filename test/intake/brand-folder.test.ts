import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { folderWith } from '../support/temporary.ts'
import { lines, read, readAt } from './reading.ts'

test('a brand folder with pages/ at its root is a workspace with one project of the same name', async () => {
  const { workspace, projects, drafts, findings } = await read({ 'pages/index.md': '# Hello\n' }, 'Ümläut & Co')
  assert.deepEqual(
    { workspace, projects },
    { workspace: { id: 'umlaut-co', name: 'Ümläut & Co' }, projects: ['umlaut-co'] },
  )
  assert.equal(drafts[0]?.name, 'Ümläut & Co')
  assert.deepEqual(findings, [])
})

test('a brand folder with one project gives its workspace the name in project.yaml, unless workspace.yaml has one', async () => {
  const files = { 'pages/index.md': '# Hello\n', 'project.yaml': 'name: Our Brand\n' }
  const named = { ...files, 'workspace.yaml': 'name: Acme Inc.\n' }
  const inside = { 'guide/pages/index.md': '# Hello\n', 'guide/project.yaml': 'name: Our Brand\n' }
  const names = []
  const two = { ...inside, 'other/pages/index.md': '# Other\n' }
  for (const contents of [files, named, inside, two]) names.push((await read(contents, 'acme')).workspace?.name)
  assert.deepEqual(names, ['Our Brand', 'Acme Inc.', 'Our Brand', 'acme'])
})

test('every folder with project.yaml, pages/, styles/ or files/ in a brand folder is a project', async () => {
  const { workspace, drafts } = await read({
    'workspace.yaml': 'id: brand\nname: Our Brand\n',
    'README.md': '# Not a page\n',
    'a/project.yaml': 'name: First\nid: first\nvisibility: public\nrevisions: served\n',
    'b/pages/index.md': '# A\n',
    'c c/styles/colors.yaml': '',
    'D/files/a.txt': 'a',
    'e/other/a.txt': '',
    '_f/pages/index.md': '# A\n',
    '.g/pages/index.md': '# A\n',
    'node_modules/pages/index.md': '# A\n',
  })
  assert.deepEqual(workspace, { id: 'brand', name: 'Our Brand' })
  const shown = drafts.map(({ project, name, visibility, revisions }) => [project, name, visibility, revisions])
  assert.deepEqual(shown, [
    ['d', 'D', 'private', 'private'],
    ['first', 'First', 'public', 'served'],
    ['b', 'b', 'private', 'private'],
    ['c-c', 'c c', 'private', 'private'],
  ])
})

const ids: [contents: Record<string, string>, name: string, found: string[]][] = [
  [{ 'pages/a.md': '# A\n' }, 'docs', ['workspace.yaml: error id-invalid']],
  [{ 'pages/a.md': '# A\n' }, '中文', ['project.yaml: error id-invalid', 'workspace.yaml: error id-invalid']],
  [{ 'pages/a.md': '# A\n', 'workspace.yaml': 'id: beta' }, 'acme', ['workspace.yaml:1 error id-invalid']],
  [{ 'pages/a.md': '# A\n', 'workspace.yaml': 'id: x', 'project.yaml': 'id: y' }, '中文', []],
  [{ 'pages/a.md': '# A\n', 'project.yaml': 'name: a\nid: Not Slug' }, 'acme', ['project.yaml:2 error id-invalid']],
  [
    { 'a b/pages/a.md': '# A\n', 'A-B/pages/a.md': '# A\n' },
    'acme',
    ['A-B/project.yaml: error id-taken', 'a b/project.yaml: error id-taken'],
  ],
  [{ 'a/b.txt': '' }, 'acme', ['.: error no-project']],
]
for (const [contents, name, found] of ids)
  test(`a brand folder called ${name} with ${JSON.stringify(contents)} has ${found.length} wrong ids`, async () => {
    const { findings, drafts } = await read(contents, name)
    assert.deepEqual(lines(findings), found)
    if (found.length > 0) assert.deepEqual(drafts, [])
  })

test('a project may be called page, file or style', async () => {
  const { findings } = await read({
    'page/pages/index.md': '# A\n',
    'file/files/a.txt': 'a',
    'style/project.yaml': '',
    'Pages/a.md': '# A\n',
  })
  assert.deepEqual(lines(findings), ['Pages: warning not-read'])
})

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

test('projects inside a brand folder that is itself a project are errors, and no project is read', async () => {
  const inner = {
    'guidelines/project.yaml': '',
    'more/styles/colors.yaml': '',
    'other/a.txt': '',
    '_old/pages/a.md': '# A\n',
  }
  for (const own of ['pages/a.md', 'styles/colors.yaml', 'files/a.txt']) {
    const { findings, projects } = await read({ ...inner, [own]: '' })
    assert.deepEqual(lines(findings), ['guidelines: error folder-ambiguous', 'more: error folder-ambiguous'])
    assert.deepEqual(projects, [])
  }
  const one = await read({ 'pages/a.md': '# A\n', 'workspace.yaml': 'id: shop\n', 'files/pages/a.txt': '' })
  assert.deepEqual([lines(one.findings), one.workspace?.id], [[], 'shop'])
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

test('a document under pages/ that is not Markdown is reported unless a page links to it', async () => {
  const { findings, drafts } = await read({
    'pages/index.md': '[Letter](letter.docx)\n',
    'pages/LOGO.MD': '# Logo\n',
    'pages/letter.docx': 'a',
    'pages/voice.docx': 'a',
    'pages/button.mdx': 'a',
    'pages/old.html': 'a',
    'pages/photo.txt': 'a',
    'files/voice.docx': 'a',
  })
  assert.deepEqual(lines(findings), [
    'pages/LOGO.MD: warning page-format',
    'pages/button.mdx: warning page-format',
    'pages/old.html: warning page-format',
    'pages/voice.docx: warning page-format',
  ])
  const names = drafts[0]?.pages.map(({ id, name }) => `${id}: ${name}`)
  assert.deepEqual(names, ['index: index', 'logo: Logo'])
})

test('files that Windows, macOS and Office create on their own are skipped without a finding', async () => {
  const { findings, drafts } = await read({
    'pages/index.md': '# A\n',
    'pages/Thumbs.db': 'a',
    'files/a.txt': 'a',
    'files/thumbs.db': 'a',
    'files/logo/Desktop.ini': 'a',
    'files/~$letter.docx': 'a',
    'files/.DS_Store': 'a',
    'files/Icon\r': '',
    'styles/desktop.ini': 'a',
  })
  assert.deepEqual(findings, [])
  const paths = drafts[0]?.files.map(({ path }) => path)
  assert.deepEqual(paths, ['files/a.txt'])
})
