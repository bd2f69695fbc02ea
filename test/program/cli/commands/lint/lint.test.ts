import assert from 'node:assert/strict'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import type { LintFinding } from '#delivery/lint/finding.ts'
import { drawSvg } from '#formats/picture/decode.ts'
import { type Contents, folderWith } from '#test/support/temporary.ts'
import { housestyle } from '../../housestyle.ts'

const BRAND: Contents = {
  'workspace.yaml': 'id: shop\nname: Shop\n',
  'guide/project.yaml': `id: guide
name: Guide
words:
- write: sign in
  not: [log in]
  reason: One word for it everywhere.
  page: voice
lint:
  ignore: ["generated/**"]
  rules: { type-near: off }
`,
  'guide/pages/index.md': '# Guide\n\n[Ink](../styles/colors.yaml#ink)\n',
  'guide/pages/voice.md': '# Voice\n\n[Our words](../project.yaml#words)\n',
  'guide/styles/colors.yaml': '- { name: Ink, hex: "#14212b" }\n- { name: Signal, hex: "#c8102e" }\n',
  'guide/styles/types.yaml': '- { name: Body, family: Georgia, size: 16, fallback: [serif] }\n',
}
const brand = await folderWith(BRAND)
const SITE: Contents = {
  'site/a.css': 'a { color: #c8102f }\nb { color: #00f }\nb b { color: #0000ff }\n',
  'site/index.html':
    '<!doctype html><link rel=stylesheet href=a.css><p>Please log in</p><p style="font-family: Arial">x</p>\n',
  'site/photo.bin': 'x',
  'site/node_modules/x/x.css': 'a { color: #0f0 }',
  'site/.git/x.css': 'a { color: #0f0 }',
  'generated/x.css': 'a { color: #0f0 }',
}
const here = await folderWith(SITE)
const WITH_BRAND = ['--brand', 'shop/guide', '--folder', brand]
const lint = (paths: readonly string[], ...options: string[]) =>
  housestyle(['lint', ...paths, ...WITH_BRAND, ...options], { cwd: here })

test('lint prints one finding for each file, rule and value, and says how many files it read and only compared', async () => {
  const { status, stdout, stderr } = await lint(['site', 'generated'])
  assert.equal(status, 1)
  const seen = stdout
    .trimEnd()
    .split('\n')
    .map(line => line.split(' ').slice(0, 3).join(' '))
  assert.deepEqual(seen, [
    'site/a.css:1 warning color-near',
    'site/a.css:2 error color-off',
    'site/index.html:1 warning word-avoid',
    'site/index.html:1 error font-off',
  ])
  assert.match(stdout, /\(2 times\)$/m)
  assert.match(stderr, /^2 errors, 2 warnings: 2 files read, 1 file only compared with old files\n/)
  assert.match(stderr, /of old files, a --folder shows only those whose licence has ended/)
})

test('lint --json prints the fields that apply to each finding, and always a count', async () => {
  const { stdout } = await lint(['site'], '--json')
  const [near, off, word, font] = JSON.parse(stdout)
  const { message: nearMessage, ...nearFields } = near
  assert.deepEqual(nearFields, {
    severity: 'warning',
    rule: 'color-near',
    path: 'site/a.css',
    line: 1,
    column: 12,
    found: '#c8102f',
    nearest: 'signal',
    write: '#c8102e',
    deltaE: near.deltaE,
    count: 1,
  })
  assert.match(nearMessage, /#c8102e/)
  assert.ok(near.deltaE > 0 && near.deltaE < 2)
  assert.deepEqual([off.found, off.count, off.write], ['#00f', 2, undefined])
  assert.deepEqual([word.found, word.write, word.guide], ['log in', 'sign in', 'voice'])
  assert.equal(font.found, 'Arial')
  assert.deepEqual(await lint(['site'], '--format', 'json').then(again => again.stdout), stdout)
})

test('lint exits with 0 without errors, with 1 for warnings under --strict, and with 2 for wrong use', async () => {
  const clean = { 'ok.css': 'a { color: #14212b }\n', 'near.css': 'a { color: #14212c }\n' }
  const cwd = await folderWith(clean)
  const statusOf = async (...args: string[]) => (await housestyle(['lint', ...args], { cwd })).status
  assert.equal(await statusOf('ok.css', '--strict', ...WITH_BRAND), 0)
  assert.equal(await statusOf('near.css', ...WITH_BRAND), 0)
  assert.equal(await statusOf('near.css', '--strict', ...WITH_BRAND), 1)
  for (const args of [
    ['missing.css', ...WITH_BRAND],
    ['ok.css'],
    ['ok.css', '--brand', 'shop', '--folder', brand],
    ['ok.css', '--brand', 'shop/gone', '--folder', brand],
    ['ok.css', '--brand', 'shop/guide', '--folder', join(cwd, 'gone')],
    ['ok.css', ...WITH_BRAND, '--format', 'xml'],
    ['ok.css', ...WITH_BRAND, '--write'],
    ['ok.css', ...WITH_BRAND, '--print', '--screen'],
    ['ok.css', ...WITH_BRAND, '--baseline', 'gone.json'],
    ['ok.css', ...WITH_BRAND, '--write-baseline', 'gone/known.json'],
    ['ok.css', ...WITH_BRAND, '--data', cwd],
    [...WITH_BRAND],
  ])
    assert.equal(await statusOf(...args), 2, args.join(' '))
})

test('PDFs are for print or for screens, and not for both', async () => {
  const { status, stderr } = await lint(['site'], '--print', '--screen')
  assert.equal(status, 2)
  assert.match(stderr, /--print and --screen: a PDF is judged as one of them: leave the other out/)
  assert.equal((await lint(['site/a.css'], '--print')).stdout, (await lint(['site/a.css'])).stdout)
})

test('a note never fails, and every format has it', async () => {
  const project = `${BRAND['guide/project.yaml']}`.replace('type-near: off', 'color-near: note, color-off: note')
  const noting = await folderWith({ ...BRAND, 'guide/project.yaml': project })
  const run = (...options: string[]) =>
    housestyle(['lint', 'site/a.css', '--brand', 'shop/guide', '--folder', noting, ...options], { cwd: here })
  const { status, stdout, stderr } = await run('--strict')
  assert.deepEqual([status, stdout.match(/:\d note color-(?:near|off) /g)?.length], [0, 2])
  assert.match(stderr, /^no problems: 1 file read\n/)
  const json: { severity: string }[] = JSON.parse((await run('--json')).stdout)
  const sarif: { runs: { results: { level: string }[] }[] } = JSON.parse((await run('--format', 'sarif')).stdout)
  assert.deepEqual(
    [json.map(({ severity }) => severity), sarif.runs[0]?.results.map(({ level }) => level)],
    [
      ['note', 'note'],
      ['note', 'note'],
    ],
  )
  assert.match((await run('--format', 'github')).stdout, /^::notice [^\n]*\n::notice [^\n]*\n$/)
  assert.match((await run('--format', 'markdown')).stdout, /^- note line 1, color-near: /m)
})

test('a baseline hides its findings, also when they move, and shows new ones', async () => {
  const cwd = await folderWith({ 'a.css': 'a { color: #00f }\n' })
  const run = (...args: string[]) => housestyle(['lint', 'a.css', ...WITH_BRAND, ...args], { cwd })
  const written = await run('--write-baseline', 'known.json')
  assert.equal(written.status, 0)
  await writeFile(join(cwd, 'a.css'), '\n\na { color: #00f }\nb { color: #0000FF }\n')
  const seen = [(await run('--baseline', 'known.json')).status, (await run('--baseline', 'known.json')).stdout]
  assert.deepEqual(seen, [0, ''])
  await writeFile(join(cwd, 'a.css'), 'a { color: #00f }\nb { color: #0f0 }\n')
  const { status, stdout } = await run('--baseline', 'known.json', '--json')
  assert.equal(status, 1)
  const founds = JSON.parse(stdout).map(({ found }: { found: string }) => found)
  assert.deepEqual(founds, ['#0f0'])
})

test('a baseline knows values however they are written', async () => {
  const css = (red: string, sans: string) => `a { color: ${red}; font-family: ${sans} }\n`
  const cwd = await folderWith({ 'a.css': css('red', '"Foo Bar"') })
  const run = (...args: string[]) => housestyle(['lint', './a.css', ...WITH_BRAND, ...args], { cwd })
  await run('--write-baseline', 'known.json')
  await writeFile(join(cwd, 'a.css'), css('#F00', 'foo  bar'))
  const { status, stdout } = await run('--baseline', 'known.json')
  assert.deepEqual([status, stdout], [0, ''])
})

test('lint --fix shows a diff, and --write changes whole files but never through links', async () => {
  const css = '\ufeffa { color: #c8102f }\r\nb { color: #00f }\r\n'
  const cwd = await folderWith({ 'a.css': css })
  const run = (...args: string[]) => housestyle(['lint', ...args, ...WITH_BRAND, '--fix'], { cwd })
  const shown = await run('a.css')
  assert.equal(shown.status, 1)
  assert.match(shown.stdout, /^--- a\/a\.css\n\+\+\+ b\/a\.css\n@@ /)
  assert.match(shown.stdout, /^-\ufeff.*#c8102f.*\r\n\+\ufeff.*#c8102e.*\r$/m)
  assert.equal(await readFile(join(cwd, 'a.css'), 'utf8'), css)
  await run('a.css', '--write')
  assert.equal(await readFile(join(cwd, 'a.css'), 'utf8'), css.replace('#c8102f', '#c8102e'))
  assert.equal((await run('a.css')).stdout, '')
  await writeFile(join(cwd, 'real.css'), 'a { color: #c8102f }')
  await symlink('real.css', join(cwd, 'link.css'))
  await symlink('.', join(cwd, 'linked'))
  await writeFile(join(cwd, 'z.css'), 'a { color: #c8102f }')
  for (const path of ['link.css', 'linked/real.css']) {
    const { status, stderr } = await run(path, 'z.css', '--write')
    assert.equal(status, 1)
    assert.match(stderr, /cannot write .*: its path has a link; name .*real\.css$/m)
    assert.equal(await readFile(join(cwd, 'real.css'), 'utf8'), 'a { color: #c8102f }')
  }
  assert.equal(await readFile(join(cwd, 'z.css'), 'utf8'), 'a { color: #c8102e }')
})

/** What a CI system would run at the beginning of a line or, for Azure and TeamCity, anywhere in it. */
const COMMAND = /^\s*::[\w-]+(?: .*)?::|##(?:vso|teamcity)?\[/m
const NAMES = ['##vso[task.x]a.css', '##[error]b.css', '##teamcity[x]c.css', '::error::d.css', 'e\n::error::e.css']

test('the diff, JSON, Markdown and other formats of hostile files have nothing that a CI system runs', async () => {
  const css = [
    'a { color: #c8102f } /* ##vso[task.setvariable variable=x]y',
    '##[error]x',
    '##teamcity[message]',
    ' ::error::x',
    '::add-mask::y',
    '*/\r::error::z',
    'b { background: url("##[command]\\1b"); color: #00f }',
  ].join('\n')
  const cwd = await folderWith(Object.fromEntries(NAMES.map(name => [name, css])))
  const run = (...options: string[]) => housestyle(['lint', '.', ...WITH_BRAND, ...options], { cwd })
  for (const options of [[], ['--fix'], ['--json'], ['--format', 'markdown'], ['--format', 'sarif']]) {
    const { stdout, stderr } = await run(...options)
    assert.doesNotMatch(stdout.replaceAll('\r', '\n'), COMMAND, options.join(' '))
    assert.doesNotMatch(stderr.replaceAll('\r', '\n'), COMMAND, options.join(' '))
  }
  const found: unknown = JSON.parse((await run('--json')).stdout)
  assert.deepEqual(
    Array.isArray(found) && [...new Set(found.map(each => Object(each).path))].toSorted(),
    NAMES.toSorted(),
  )
  const { stdout } = await run('--format', 'markdown')
  assert.ok(stdout.includes('### `e\\u{a}::error::e.css`') || stdout.includes('### ` e\\u{a}::error::e.css `'), stdout)
})

test('lint --fix says that a diff has an escaped line, and only then', async () => {
  const plain = 'a { color: #c8102f }\n'
  const raw = `/*\n\u001b[2J\u0007\rx\n*/\r\n${plain}`
  const cwd = await folderWith({ 'a.css': plain, 'b.css': `/*\n##[error]x\n*/\n${plain}`, 'c.css': raw })
  const run = (path: string) => housestyle(['lint', path, ...WITH_BRAND, '--fix'], { cwd })
  const message =
    /^a line of this diff is escaped, .* so patch cannot apply the diff: correct the file with --fix --write$/m
  assert.doesNotMatch((await run('a.css')).stderr, message)
  const { stdout, stderr } = await run('b.css')
  assert.match(stderr, message)
  assert.match(stdout, /^ #\\u\{23\}\[error\]x$/m)
  const controlled = await run('c.css')
  assert.match(controlled.stderr, message)
  assert.doesNotMatch(controlled.stdout.replaceAll(/\r?\n/g, ''), /\p{Cc}/u)
  assert.match(controlled.stdout, /^ \\u\{1b\}\[2J\\u\{7\}\\u\{d\}x$/m)
})

test('the diff of a file outside of the working folder has its path in the folder that the user named', async () => {
  const cwd = await folderWith({ 'site/web/a.css': 'a { color: #c8102f }\n', 'work/b.css': '' })
  for (const path of ['../site', join(cwd, 'site')]) {
    const run = await housestyle(['lint', path, ...WITH_BRAND, '--fix'], { cwd: join(cwd, 'work') })
    assert.match(run.stdout, /^--- a\/web\/a\.css\n/)
  }
})

test('sheets that a named page links are left out like other files', async () => {
  const red = 'a { color: #0f0 }'
  const cwd = await folderWith({
    'page.html': '<link rel=stylesheet href=generated/x.css><link rel=stylesheet href=node_modules/y.css>',
    'generated/x.css': red,
    'node_modules/y.css': red,
  })
  const { status, stdout } = await housestyle(['lint', 'page.html', ...WITH_BRAND], { cwd })
  assert.deepEqual([status, stdout], [0, ''])
})

test('what is no file, or has a name that is not UTF-8, is unreadable, and other JSON is only compared', async () => {
  const cwd = await folderWith({ 'large.json': `{"a": "${'x'.repeat(21 << 20)}"}` })
  await writeFile(Buffer.concat([Buffer.from(`${cwd}/`), Buffer.from([0xff]), Buffer.from('.png')]), '')
  const { status, stdout, stderr } = await housestyle(['lint', '.', '/dev/zero', ...WITH_BRAND], { cwd })
  assert.equal(status, 1)
  assert.deepEqual(stdout.match(/^.*? error unreadable/gm), [
    '\ufffd.png:1 error unreadable',
    '/dev/zero:1 error unreadable',
  ])
  assert.match(stderr, /^2 errors: 2 files read, 1 file only compared/m)
})

test('a sheet that a named page links next to it is compared, too; elsewhere, and through a link, none is opened', async () => {
  const cwd = await folderWith({
    'site/page.html':
      '<link rel=stylesheet href=own.css><link rel=stylesheet href=../out.css><link rel=stylesheet href=link.css>',
    'site/own.css': 'a { color: #00f }',
    'out.css': 'a { color: #0f0 }',
  })
  await symlink('../out.css', join(cwd, 'site/link.css'))
  const { stdout } = await housestyle(['lint', 'site/page.html', ...WITH_BRAND, '--json'], { cwd })
  const seen = JSON.parse(stdout).map(({ path, found }: { path: string; found: string }) => [path, found])
  assert.deepEqual(seen, [['site/own.css', '#00f']])
})

test('a sheet that a page links is read as CSS, under any name', async () => {
  const cwd = await folderWith({
    'site/a/css2': '.q { color: #00f }',
    'site/a/load.php': '.q { color: #0f0 }',
    'site/other.php': '.q { color: #f00 }',
    'site/page.html': '<link rel=stylesheet href=a/css2><link rel=stylesheet href=a/load.php>',
  })
  for (const [path, rest] of [
    ['site', ', 1 file only compared'],
    ['site/page.html', '\n'],
  ] as const) {
    const { stdout, stderr } = await housestyle(['lint', path, ...WITH_BRAND], { cwd })
    assert.deepEqual(stdout.match(/^.*? color-off \S+/gm), [
      'site/a/css2:1 error color-off #00f',
      'site/a/load.php:1 error color-off #0f0',
    ])
    assert.ok(stderr.startsWith(`2 errors: 3 files read${rest}`), stderr)
  }
})

test('annotations have paths from the root of the repository, however the user names the files', async () => {
  const cwd = await folderWith({ 'repo/.git/HEAD': '', 'repo/site/a.css': 'a { color: #00f }', 'repo/sub/b.css': '' })
  for (const path of ['../site', join(cwd, 'repo/site'), '../site/a.css']) {
    const options = ['lint', path, ...WITH_BRAND, '--format', 'github']
    const { stdout } = await housestyle(options, { cwd: join(cwd, 'repo/sub') })
    assert.match(stdout, /^::error file=site\/a\.css,line=1/)
  }
})

test('findings come as SARIF, GitHub annotations and Markdown, whose values are code', async () => {
  const sarif = JSON.parse((await lint(['site'], '--format', 'sarif')).stdout)
  assert.equal(sarif.version, '2.1.0')
  assert.deepEqual(sarif.runs[0].results[0].locations[0].physicalLocation.region, { startLine: 1, startColumn: 12 })
  const github = (await lint(['site'], '--format', 'github')).stdout
  assert.match(github, /^::warning file=site\/a\.css,line=1,col=12,title=color-near::/)
  const many = Array.from(
    { length: 3000 },
    (_, at) => `.c${at} { color: #${(0x10000 + at * 37).toString(16).padStart(6, '0')} }`,
  )
  const odd = `a { color: #00f } /* */\nb { font-family: "\`x\` <img src=x>" }\n${many.join('\n')}`
  const cwd = await folderWith({ 'odd.css': odd })
  const markdown = (await housestyle(['lint', '.', ...WITH_BRAND, '--format', 'markdown'], { cwd })).stdout
  assert.ok(markdown.length <= 60_000)
  assert.match(markdown.slice(0, 1000), /`` .*`x` <img src=x>.* ``/)
  assert.match(
    markdown.slice(-150),
    /\n\d+ more findings are left out here\. `housestyle lint` shows all in a terminal\.\n$/,
  )
})

test('a file that is named and not read is unreadable, and one in a folder is only compared', async () => {
  const cwd = await folderWith({ 'deck.odp': 'x', 'web/photo.png': 'x', 'web/data.json': '{}', 'generated/a.css': '' })
  const run = (...paths: string[]) => housestyle(['lint', ...paths, ...WITH_BRAND], { cwd })
  const { status, stdout, stderr } = await run('deck.odp', 'web/data.json', 'generated/a.css')
  assert.equal(status, 1)
  assert.equal(
    stdout,
    'web/data.json:1 error unreadable is not read, because it has no typed design tokens and no colours of a web manifest: end its name in .tokens.json, or leave it out\n' +
      'deck.odp:1 error unreadable is not of a kind that is read, so it is only compared with old files of the brand: save it as .pptx\n',
  )
  assert.match(stderr, /^generated\/a\.css is not read: "ignore" in the brand's project\.yaml leaves it out$/m)
  const folder = await run('web')
  assert.deepEqual([folder.status, folder.stdout], [0, ''])
  assert.match(folder.stderr, /0 files read, 2 files only compared/)
})

test('a file of the brand is right as it is, under any name', async () => {
  const files = { 'guide/files/logo.svg': '<svg><path fill="#0f0"/></svg>', 'guide/files/photo.png': 'x' }
  const own = await folderWith({ ...BRAND, ...files })
  const cwd = await folderWith({ 'a.svg': files['guide/files/logo.svg'], 'b.png': 'x', 'c.svg': '<svg fill="#0f0"/>' })
  const { stdout } = await housestyle(['lint', 'a.svg', 'b.png', 'c.svg', '--brand', 'shop/guide', '--folder', own], {
    cwd,
  })
  assert.equal(stdout, 'c.svg:1 error color-off #0f0 is not a colour of the brand: use one\n')
})

test('lint --fix says which colours it leaves because it would make them the same', async () => {
  const cwd = await folderWith({
    'a.css': 'a { color: #c8102f }\nb { color: #c8102d }\n',
    'b.css': 'a { color: #c8102f }\nb { color: #c8102e }\n',
  })
  const { stdout, stderr } = await housestyle(['lint', 'a.css', 'b.css', ...WITH_BRAND, '--fix', '--write'], { cwd })
  assert.equal(stdout.includes('---'), false)
  assert.match(
    stderr,
    /^a\.css: #c8102f and #c8102d would become #c8102e, and no longer differ, so --fix leaves them: /m,
  )
  assert.match(stderr, /^b\.css: #c8102f would become #c8102e, which the file has, too, so --fix leaves it: /m)
})

const OTHERS_SITE: Contents = {
  'web/own.css': 'a { color: #00f }\n',
  'web/vendor/a.css': 'a { color: #0f0 } b { color: #0fe }\n',
  'web/app.min.css': 'a { color: #0f0 }\n',
  'web/main.css': '/*! Shop v1.0 | (c) Shop Ltd */\na { color: #0f1 }\n',
  'web/grid.scss': '/*! gridder v2.1.0 | MIT License */\na { color: #0f0 }\n',
  'web/social/facebook.svg': '<svg><path fill="#1877f2"/></svg>',
  'web/social/poster.svg': '<svg><path fill="#0f2"/></svg>',
  'web/apple.svg': '<svg><path fill="#0f3"/></svg>',
  'web/partners/shop-logo.svg': '<svg><path fill="#0f4"/></svg>',
  'web/partners/acme-logo.svg': '<svg><path fill="#0f5"/></svg>',
  'web/node_modules/x/x.css': 'a { color: #0f0 }\n',
}

test('findings in sheets and logos of others are one note a kind in every format, and --all lists them', async () => {
  const cwd = await folderWith(OTHERS_SITE)
  const run = (...options: string[]) => housestyle(['lint', 'web', ...WITH_BRAND, ...options], { cwd })
  const { status, stdout, stderr } = await run()
  assert.equal(status, 1)
  const seen = stdout.split('\n').map(line => line.replace(/(?<=color-off).*/, ''))
  assert.deepEqual(seen, [
    'web/apple.svg:1 error color-off',
    'web/main.css:2 error color-off',
    'web/own.css:1 error color-off',
    'web/partners/shop-logo.svg:1 error color-off',
    'web/social/poster.svg:1 error color-off',
    'web/app.min.css:1 note not-listed 4 findings in built or vendored style sheets here and in 2 other files: --all lists them',
    'web/partners/acme-logo.svg:1 note not-listed 2 findings in logos of other firms here and in 1 other file: --all lists them',
    '',
  ])
  assert.match(stderr, /^5 errors: /m)
  const notes = JSON.parse((await run('--json')).stdout).filter(
    ({ severity }: { severity: string }) => severity === 'note',
  )
  const found = notes.map(({ rule, path, count }: Record<string, unknown>) => ({ rule, path, count }))
  assert.deepEqual(found, [
    { rule: 'not-listed', path: 'web/app.min.css', count: 1 },
    { rule: 'not-listed', path: 'web/partners/acme-logo.svg', count: 1 },
  ])
  const [log] = JSON.parse((await run('--format', 'sarif')).stdout).runs
  for (const { ruleId, ruleIndex } of log.results) assert.equal(log.tool.driver.rules[ruleIndex].id, ruleId)
  assert.equal(log.results.filter(({ level }: { level: string }) => level === 'note').length, 2)
  assert.equal((await run('--format', 'github')).stdout.match(/^::notice /gm)?.length, 2)
  assert.equal((await run('--format', 'markdown')).stdout.match(/^- note /gm)?.length, 2)
  const all = await run('--all')
  assert.match(all.stdout, /^web\/node_modules\/x\/x\.css:1 error/m)
  assert.doesNotMatch(all.stdout, / note /)
  assert.equal(all.stdout.trimEnd().split('\n').length, 12)
})

test('what others made is summed up however it is named, from any folder', async () => {
  const cwd = await folderWith({ 'web/vendor/lib/a.css': 'a { color: #0f0 }\n', 'web/own.css': 'a { color: #0f0 }\n' })
  for (const [folder, ...names] of [
    ['.', 'web/vendor'],
    ['.', 'web/vendor/lib/a.css'],
    ['web', 'vendor/lib'],
    ['web/vendor', '.'],
    ['web/vendor', 'lib/a.css'],
  ] as const) {
    const { status, stdout } = await housestyle(['lint', ...names, ...WITH_BRAND], { cwd: join(cwd, folder) })
    assert.equal(status, 0, `${folder}: ${names}`)
    assert.match(stdout, /^[^\n]* note not-listed 1 finding in built or vendored style sheets: --all lists it\n$/)
  }
  await mkdir(join(cwd, '.git'))
  const below = await housestyle(['lint', '.', ...WITH_BRAND], { cwd: join(cwd, 'web/vendor/lib') })
  assert.match(below.stdout, / note not-listed /)
  const own = await housestyle(['lint', 'own.css', ...WITH_BRAND], { cwd: join(cwd, 'web') })
  assert.equal(own.status, 1)
})

test('a drawing with more than a dozen colours that are not of the brand has one finding, and --all lists them', async () => {
  const drawing = (count: number) =>
    `<svg>${Array.from({ length: count }, (_, at) => `<path fill="#${(0x10f000 + at).toString(16)}"/>`).join('')}</svg>`
  const cwd = await folderWith({ 'many.svg': drawing(40), 'few.svg': drawing(12), 'many.css': 'a{b:c}' })
  const run = (...options: string[]) => housestyle(['lint', ...options, ...WITH_BRAND], { cwd })
  const { status, stdout } = await run('many.svg')
  assert.equal(status, 1)
  assert.equal(
    stdout,
    'many.svg:1 error color-off 40 colours are not colours of the brand: #10f000, #10f001, #10f002, #10f003, #10f004 and others; use those of the brand (40 times)\n',
  )
  assert.equal((await run('few.svg')).stdout.trimEnd().split('\n').length, 12)
  assert.equal((await run('many.svg', '--all')).stdout.trimEnd().split('\n').length, 40)
  await run('many.svg', '--write-baseline', 'b.json')
  assert.equal((await run('many.svg', '--baseline', 'b.json')).stdout, '')
})

test('only findings in files of others do not fail, and --fix leaves these files as they are', async () => {
  const cwd = await folderWith({ 'web/vendor/a.css': 'a { color: #14212c }\n' })
  const { status, stderr } = await housestyle(['lint', 'web', ...WITH_BRAND, '--fix', '--write', '--strict'], { cwd })
  assert.equal(status, 0)
  assert.match(stderr, /1 finding in built or vendored style sheets: --all lists it/)
  assert.equal(await readFile(join(cwd, 'web/vendor/a.css'), 'utf8'), 'a { color: #14212c }\n')
})

test('a named file of the brand says which file it is, and since which revision it is current', async () => {
  const own = await folderWith({
    ...BRAND,
    'guide/files/a.svg': '<svg><path fill="#0f0"/></svg>',
    'guide/files/b.bin': '1',
  })
  const run = (...args: string[]) => housestyle([...args, '--data', join(own, 'data')], { cwd: own })
  const publish = async () => {
    await run('import', own)
    await run('publish', 'shop/guide')
  }
  await publish()
  await writeFile(join(own, 'guide/files/b.bin'), '2')
  await publish()
  const lintOwn = (...paths: string[]) => run('lint', ...paths, '--brand', 'shop/guide')
  const { status, stdout, stderr } = await lintOwn('guide/files/a.svg', 'guide/files/b.bin')
  assert.deepEqual([status, stdout], [0, ''])
  assert.equal(
    stderr,
    `guide/files/a.svg is the brand's file files/a.svg, current since revision 1
guide/files/b.bin is the brand's file files/b.bin, current since revision 2
no problems: 2 files of the brand
`,
  )
  assert.match((await lintOwn('guide/files')).stderr, /^no problems: 1 file read, 1 file only compared/)
  const folder = await housestyle(['lint', 'guide/files/a.svg', '--brand', 'shop/guide', '--folder', own], { cwd: own })
  assert.match(
    folder.stderr,
    /^guide\/files\/a.svg is the brand's file files\/a.svg\nno problems: 1 file of the brand\n/,
  )
})

const drawLogo = (fill: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 40"><path fill="${fill}" d="M0 0h8v40H0zM16 0h8v40h-8zM30 16h50v8H30z"/></svg>\n`
const LOGO_BRAND: Contents = {
  ...BRAND,
  'guide/files/logo.svg': drawLogo('#14212b'),
  'guide/files/files.yaml': 'logo.svg: { minWidth: 60 }\n',
  'guide/pages/wrong.md': '![Wrong](wrong.svg)\n',
  'guide/pages/wrong.svg': drawLogo('#c8102e'),
}

test('a wrong logo is found as a file, on a page that places it, and as a drawing of the guide that shows it', async () => {
  const png = await drawSvg(drawLogo('#14212b'), 400)
  const [folder, site] = [
    await folderWith(LOGO_BRAND),
    await folderWith({
      'page/index.html': `<!doctype html><title>x</title>
<img src="../pictures/own.svg" width="40" alt="">
<img src="/pictures/wide.png" style="width: 1in; height: .25in" alt="">
<img src="/pictures/wide.png" width="96" height="48" alt="">
<!-- housestyle-ignore-next-line -->
<img src="/pictures/own.svg" width="40" alt="">
<img src="/pictures/none.svg" width="40" alt=""><img src="https://shop.example/pictures/own.svg" width="40" alt="">
`,
      'pictures/own.svg': drawLogo('#14212b'),
      'pictures/red.svg': drawLogo('#c8102f'),
      'pictures/guide.svg': drawLogo('#c8102e'),
      'pictures/damaged.png': 'damaged',
    }),
  ]
  await writeFile(join(site, 'pictures/wide.png'), png)
  const { stdout, stderr } = await housestyle(['lint', '.', '--brand', 'shop/guide', '--folder', folder, '--json'], {
    cwd: site,
  })
  const findings: LintFinding[] = JSON.parse(stdout)
  assert.deepEqual(
    findings.map(({ rule, path, line, found, nearest }) => [rule, path, line, found, nearest]),
    [
      ['logo-small', 'page/index.html', 2, '40 px', 'files/logo.svg'],
      ['logo-stretched', 'page/index.html', 3, '100 % too wide', 'files/logo.svg'],
      ['logo-recolored', 'pictures/guide.svg', undefined, '#c8102e', 'files/logo.svg'],
      ['color-near', 'pictures/red.svg', 1, '#c8102f', 'signal'],
      ['logo-recolored', 'pictures/red.svg', undefined, '#c8102f', 'files/logo.svg'],
    ],
  )
  assert.equal(
    findings[4]?.message,
    'this picture is files/logo.svg, but with #c8102f instead of #14212b: use files/logo.svg',
  )
  assert.match(stderr, /^3 errors, 2 warnings: 5 files read, 1 file only compared with old files\n/m)
  const named = await housestyle(
    ['lint', 'pictures/damaged.png', 'pictures/wide.png', '--brand', 'shop/guide', '--folder', folder],
    { cwd: site },
  )
  assert.match(named.stdout, /^pictures\/damaged\.png:1 error unreadable is not of a kind that is read[^\n]*\n$/)
})
