import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import type { First } from '#adopt/report/first.ts'
import type { Report } from '#adopt/report/report.ts'
import { zipOf } from '#test/delivery/lint/ooxml/office-file.ts'
import { type Contents, folderWith, temporaryFolder } from '#test/support/temporary.ts'
import { housestyle } from '../../housestyle.ts'

const TOKENS = JSON.stringify({ color: { $type: 'color', ink: { $value: '#16202c' } } })

/** Something of each kind that a source may have. */
const MIXED: Contents = {
  'README.md': '# Northwind\n\n![](.gitbook/assets/mark.svg)\n',
  'docs/logo.md': '# Logo\n',
  'docs/tokens.json': TOKENS,
  'docs/empty.json': '{}',
  'docs/mark.svg': '<svg/>',
  [`docs/Kit ${'0a'.repeat(16)}/brand.pdf`]: '%PDF-',
  'docs/letter.docx': 'PK',
  '.gitbook/assets/mark.svg': '<svg/>',
  '.gitbook/vars.yaml': 'a: b',
  '.github/pull_request_template.md': 'Hello',
  'theme/page.html': '{% extends "base" %}{% block main %}<p>Text</p>{% endblock %}',
  '404.html': '<p>Not found</p>',
  'node_modules/a/index.js': '',
  'dist/index.html': '<p>',
  'downloads/dist/kit.zip': 'PK',
  'src/app.ts': '',
  'mkdocs.yml': 'site_name: Northwind',
  LICENSE: 'MIT',
  'CHANGELOG.md': '',
  'PULL_REQUEST_TEMPLATE.md': '# What changed\n',
  'docs/ISSUE_TEMPLATE/bug.md': '# Bug\n',
  'package-lock.json': '{}',
  'drafts/node_modules/b.js': '',
  'drafts/plan.md': '# Plan\n',
  'drafts/plan.svg': '<svg/>',
  'notes.psd': '8BPS',
}

async function adopted(cwd: string, ...args: string[]): Promise<Report & { folder: string; stderr: string }> {
  const { status, stdout, stderr } = await housestyle(['init', ...args, '--json'], { cwd })
  assert.equal(status, 0, stderr)
  return { ...JSON.parse(stdout), stderr }
}

/** Each file of a folder, as paths with `/`. */
function filesOf(folder: string): string[] {
  const all = readdirSync(folder, { recursive: true, withFileTypes: true })
  return all.filter(each => each.isFile()).map(each => join(each.parentPath, each.name).slice(folder.length + 1))
}

test('each file of a source is placed, merged or left out with a reason, and a folder that is skipped whole is one row', async () => {
  const cwd = await temporaryFolder()
  const source = await folderWith(MIXED, 'northwind', cwd)
  const globs = ['drafts', '*.psd', 'draft'].flatMap(glob => ['--exclude', glob])
  const report = await adopted(cwd, 'brand', '--from', 'northwind', ...globs)
  assert.match(report.stderr, /^--exclude draft leaves nothing out$/m)
  assert.deepEqual(report.leftOut, [
    { path: '.gitbook/vars.yaml', reason: 'settings or data without styles' },
    { path: '.github/', reason: 'a hidden folder' },
    { path: '404.html', reason: 'an error page' },
    { path: 'CHANGELOG.md', reason: 'a change log' },
    { path: 'LICENSE', reason: 'a licence' },
    { path: 'PULL_REQUEST_TEMPLATE.md', reason: 'about the repository' },
    { path: 'dist/', reason: 'build output' },
    { path: 'docs/ISSUE_TEMPLATE/', reason: 'about the repository' },
    { path: 'docs/empty.json', reason: 'settings or data without styles' },
    { path: 'drafts/', reason: '--exclude drafts' },
    { path: 'mkdocs.yml', reason: 'settings or data without styles' },
    { path: 'node_modules/', reason: 'installed packages' },
    { path: 'notes.psd', reason: '--exclude *.psd' },
    { path: 'package-lock.json', reason: 'a lock file' },
    { path: 'src/app.ts', reason: 'source code' },
    { path: 'theme/page.html', reason: 'a template of a website' },
  ])
  assert.deepEqual(report.merged, [{ from: 'docs/tokens.json', into: 'guidelines/styles/colors.yaml' }])
  const [{ pages, colors, files } = assert.fail()] = report.projects
  assert.deepEqual([pages, colors, files], [2, 1, 5])
  assert.ok(existsSync(join(cwd, 'brand/guidelines/files/docs/Kit/brand.pdf')))
  for (const { to } of report.placed) assert.ok(existsSync(join(cwd, 'brand', to)), to)
  const rows = [...report.placed, ...report.merged].map(({ from }) => from)
  rows.push(...report.leftOut.map(({ path }) => path))
  for (const path of filesOf(source))
    assert.equal(rows.filter(row => row === path || (row.endsWith('/') && path.startsWith(row))).length, 1, path)
  const { status, stdout } = await housestyle(['check', 'brand'], { cwd })
  assert.equal(status, 0, stdout)
})

test('a dry run prints the same report and writes nothing, and equal sources give equal bytes', async () => {
  const cwd = await temporaryFolder()
  await folderWith(MIXED, 'northwind', cwd)
  const { folder: _, ...dry } = await adopted(cwd, 'brand', '--from', 'northwind', '--dry-run')
  const asText = await housestyle(['init', 'brand', '--from', 'northwind', '--dry-run'], { cwd })
  assert.match(asText.stdout, /^# What became of the source\n/)
  assert.deepEqual(readdirSync(cwd), ['northwind'])
  const { folder, ...report } = await adopted(cwd, 'brand', '--from', 'northwind')
  assert.deepEqual(report, dry)
  mkdirSync(join(cwd, 'again'))
  await adopted(cwd, 'again/brand', '--from', 'northwind')
  for (const path of filesOf(folder))
    assert.deepEqual(readFileSync(join(cwd, 'again/brand', path)), readFileSync(join(folder, path)), path)
})

test('the report begins with the identity of the guide, what its source hides, and the losses with the most words', async () => {
  const cwd = await folderWith({
    'a/mkdocs.yml': 'site_name: Northwind',
    'a/docs/index.md': '# Home\n\n{% for each in list %}Words of a loop.{% endfor %}\n',
    'a/docs/plan.md': '---\ndraft: true\n---\n# Plan\n',
    'a/docs/old.md': '<p hidden>Old words</p>\n\nText\n',
  })
  const { status, stdout, stderr } = await housestyle(['init', 'brand', '--from', 'a', '--json'], { cwd })
  assert.equal(status, 0, stderr)
  const { first, lost } = JSON.parse(stdout)
  const rows = first.map(({ key, value, path }: First) => `${key}: ${value} (${path})`)
  assert.deepEqual(rows, [
    'logo:  (guidelines/project.yaml)',
    'name: Northwind (guidelines/project.yaml)',
    'lang:  (guidelines/project.yaml)',
    'home: Home (docs/index.md)',
    'colors:  (guidelines/styles/colors.yaml)',
    'hidden: a draft: draft: true (1), HTML that readers do not see (1) (docs/plan.md)',
    'lost: tag for (1, 4 words) (docs/index.md)',
  ])
  assert.ok(lost.every((row: object) => !('isHidden' in row)))
  const [head] = readFileSync(join(cwd, 'brand/_adopted.md'), 'utf8').split(/(?=## \d)/)
  assert.equal(head?.match(/^- \[ \] /gm)?.length, first.length)
  assert.match(stderr, /^look at these first\n {2}logo: none/)
})

test('a page shows the palette where a loop drew data, and at its end for colours in its own front matter', async () => {
  const cwd = await temporaryFolder()
  const loop = '{% for color in site.data.palette %}\n<p>{{ color.name }}</p>\n{% endfor %}'
  const contents = {
    '_config.yml': 'title: Heron',
    '_data/palette.yml': "- { name: Reed, hex: '3A7F5C' }\n- { name: Sand, hex: 'F2E6C9' }",
    'index.md': `# Heron\n\n<div>\n  ${loop}\n</div>\n`,
    'print/inks.md': "---\ntitle: Inks\ncolors:\n- { name: Rust, hex: '#aa3311', cmyk: 0 70 90 33 }\n---\n",
  }
  await folderWith(contents, 'heron', cwd)
  await adopted(cwd, 'brand', '--from', 'heron')
  const read = (path: string) => readFileSync(join(cwd, 'brand/guidelines', path), 'utf8')
  assert.match(read('pages/index.md'), /\n\n\[Colours\]\(\.\.\/styles\/colors\.yaml\)\n\n/)
  assert.match(read('pages/print/inks.md'), /\n\[Colours\]\(\.\.\/\.\.\/styles\/colors\.yaml\)\n$/)
  assert.match(read('styles/colors.yaml'), /Reed.*Sand.*Rust\n {2}hex: "#aa3311"\n {2}cmyk: 0, 70, 90, 33/s)
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

const REFUSED: Readonly<
  Record<string, readonly [contents: Contents, source: string, status: number, message: RegExp]>
> = {
  'a missing source': [{}, 'gone', 1, /^housestyle: cannot read gone: there is no such file or folder\n$/],
  'a source without content': [
    { 'a/main.py': '' },
    'a',
    1,
    /has nothing that a guide can have, for example main\.py: source code/,
  ],
  'a brand folder': [
    { 'a/workspace.yaml': 'id: acme', 'a/b.md': '' },
    'a',
    2,
    /a is a brand folder already: it has workspace\.yaml/,
  ],
  'a workspace without settings': [
    { 'a/b/project.yaml': '' },
    'a',
    2,
    /a is a brand folder already: it has b\/project\.yaml/,
  ],
  'a damaged archive': [{ 'a.zip': 'PK' }, 'a.zip', 1, /cannot unpack a\.zip: it is damaged or no ZIP archive/],
  'an archive bomb': [{ 'a.zip': zipOf({ 'a.md': Buffer.alloc(100 << 20) }) }, 'a.zip', 1, /a\.zip unpacks to 100 MiB/],
}

for (const [what, [contents, source, status, message]] of Object.entries(REFUSED))
  test(`${what} ends with a message, and nothing is written`, async () => {
    const cwd = await folderWith(contents)
    const result = await housestyle(['init', 'x/brand', '--from', source], { cwd })
    assert.deepEqual([result.status, existsSync(join(cwd, 'x'))], [status, false], result.stderr)
    assert.match(result.stderr, message)
  })

test('style files alone are also only read in a dry run, and options for sources need one', async () => {
  const cwd = await folderWith({ 'tokens.json': TOKENS })
  const dry = await housestyle(['init', 'brand', '--from', 'tokens.json', '--dry-run', '--json'], { cwd })
  assert.deepEqual([dry.status, JSON.parse(dry.stdout).projects[0].colors, readdirSync(cwd)], [0, 1, ['tokens.json']])
  const { status, stderr } = await housestyle(['init', 'brand', '--exclude', '*.psd'], { cwd })
  assert.deepEqual([status, existsSync(join(cwd, 'brand'))], [2, false])
  assert.match(stderr, /--exclude, --tokens and --dry-run need --from/)
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

test('without settings, the title of the home page is the name of the guide, unless it only says what it is', async () => {
  const cwd = await temporaryFolder()
  for (const [title, name] of [
    ['Northwind Brand', 'Northwind Brand'],
    ['Introduction', 'New'],
  ]) {
    await folderWith({ 'index.md': `# ${title}\n` }, `from-${name}`, cwd)
    const { guessed } = await adopted(cwd, join(`${name}`, 'new'), '--from', `from-${name}`)
    const text = readFileSync(join(cwd, `${name}`, 'new/guidelines/project.yaml'), 'utf8')
    assert.match(text, new RegExp(`^name: ${name}$`, 'm'))
    const why = name === 'New' ? 'from the name of the new folder' : 'the title of the home page'
    assert.ok(guessed.some(each => each.key === 'name' && each.value === name && each.why === why))
  }
})
