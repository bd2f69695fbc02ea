import assert from 'node:assert/strict'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import type { LintFinding } from '#delivery/lint/finding.ts'
import { drawSvg } from '#formats/picture/decode.ts'
import { type Contents, folderWith } from '#test/support/temporary.ts'
import { golden } from '../../../../support/golden.ts'
import { housestyle } from '../../housestyle.ts'
import { FOLDERS, session } from '../../session.ts'

const BRAND: Contents = FOLDERS.shop ?? {}
const brand = await folderWith(BRAND)
const here = await folderWith(FOLDERS.site ?? {})
const WITH_BRAND = ['--brand', 'shop/guide', '--folder', brand]
const lint = (paths: readonly string[], ...options: string[]) =>
  housestyle(['lint', ...paths, ...WITH_BRAND, ...options], { cwd: here })

golden('cli/lint', session)

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
