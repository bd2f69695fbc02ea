import assert from 'node:assert/strict'
import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { pathToFileURL } from 'node:url'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { CHROMIUM, openPage } from '#test/support/browser.ts'
import { needs } from '#test/support/programs.ts'
import { sumsIn } from '#test/support/sums.ts'
import { folderWith } from '#test/support/temporary.ts'
import { PIXEL, SMALL_BRAND, temporaryStore } from '#test/support/temporary-store.ts'
import { housestyle } from '../../housestyle.ts'

const places = await folderWith({})
const acme = join(places, 'acme')
const corpus = join(places, '18f')

async function copyOf(folder: string, out: string, ...more: string[]) {
  return housestyle(['export', ...more, '--folder', folder, '--to', 'site', '--out', out], { cwd: process.cwd() })
}

// A copy makes the one large picture smaller; one pixel is enough for the others.
const COPIES = [
  { from: 'examples/acme', out: acme, more: 'acme/guidelines' },
  ...(needs('../shared').skip ? [] : [{ from: '../shared/corpus/18f', out: corpus, more: '--private' }]),
]
for (const { from, out, more } of COPIES) {
  const folder = await folderWith({})
  await cp(from, folder, { recursive: true })
  for (const path of await filesIn(folder))
    if (/(?<!acme-share)\.(?:png|pdf|webp|jpg|webm)$/.test(path)) await writeFile(join(folder, path), PIXEL)
  const { status, stderr } = await copyOf(folder, out, more)
  assert.equal(status, 0, stderr)
}

test('every link, picture, style sheet and font of a copy works and is relative', async () => {
  for (const { out } of COPIES) {
    const files = new Set(await filesIn(out))
    assert.ok(files.size > 90, `${files.size}`)
    for (const path of files) {
      const text = /\.(?:html|css)$/.test(path) && !/^-\/media\//.test(path) ? await read(out, path) : ''
      const references = path.endsWith('.html') ? referencesOf(text) : sheetReferences(text)
      for (const reference of references) {
        if (/^(?:[a-z][a-z0-9+.-]*:|#)/i.test(reference)) continue
        const [target = ''] = reference.split(/[?#]/)
        const at = decodeURIComponent(new URL(target, new URL(path, 'http://x/')).pathname.slice(1))
        assert.ok(!reference.startsWith('/') && files.has(at), `${path}: ${reference}`)
      }
      assert.doesNotMatch(text, /housestyle\.invalid|Revision 1|1980/, path)
    }
  }
})

test('a copy from disk has its styles, fonts, pictures and script', CHROMIUM, async () => {
  const { page, complaints, requests } = await openPage({ offline: true })
  for (const path of [
    'index.html',
    'logo/index.html',
    '-/colors/index.html',
    '-/type/index.html',
    '-/files/index.html',
  ]) {
    await page.goto(pathToFileURL(join(acme, path)).href)
    assert.equal(await page.evaluate('getComputedStyle(document.body).margin'), '0px')
    await page.evaluate('document.fonts.ready.then(() => true)')
    assert.ok(await page.evaluate(LOADS_PICTURES), path)
  }
  assert.ok(await page.evaluate('[...document.fonts].some(({ status }) => status === "loaded")'))
  assert.ok(await page.evaluate('document.documentElement.classList.contains("script")'))
  assert.deepEqual(complaints, [])
  const unexpected = requests.filter(url => !url.startsWith('file:'))
  assert.deepEqual(unexpected, [])
})

test('a copy can be searched without a service, on each page and on the search page', CHROMIUM, async () => {
  const { page, complaints } = await openPage({ offline: true })
  await page.goto(pathToFileURL(join(acme, 'logo/misuse/index.html')).href)
  await page.fill('form.find input', 'vermil')
  await page.waitForSelector('.hits a b mark')
  await page.press('form.find input', 'Enter')
  await page.waitForSelector('ol.results li')
  assert.match(page.url(), /\/-\/search\/index\.html\?q=vermil$/)
  assert.match((await page.textContent('article.search [role=status]')) ?? '', /^\d+ results for “vermil”\.$/)
  await page.click('ol.results a')
  assert.match(page.url(), /^file:.*\/index\.html(#.+)?$/)
  await page.goto(pathToFileURL(join(acme, '-/search/index.html')).href)
  await page.fill('#q', 'xylophone <b>')
  await page.click('article.search button')
  await page.waitForSelector('article.search [role=status]')
  assert.match((await page.textContent('article.search')) ?? '', /No results for “xylophone <b>”\.\s*Try fewer/)
  await page.fill('#q', 'hsl(16, 94%, 41%)')
  await page.click('article.search button')
  await page.waitForSelector('ol.results li')
  assert.equal(await page.textContent('ol.results a'), 'Vermilion')
  assert.deepEqual(complaints, [])
})

test('a copy opened from disk says whether a file is current, old or unknown', CHROMIUM, async () => {
  const temporary = await temporaryStore()
  for (const text of ['one', 'two']) await temporary.publishing('acme/guide', { 'guide/files/a.txt': text })
  const out = join(places, 'versions')
  const { status, stderr } = await housestyle(
    ['export', 'acme/guide', '--data', temporary.data, '--to', 'site', '--private', '--out', out],
    { cwd: process.cwd() },
  )
  assert.equal(status, 0, stderr)
  const { page, complaints } = await openPage({ offline: true })
  await page.goto(pathToFileURL(join(out, '-/files/index.html')).href)
  const files = ['two', 'one', 'three'].map(text => ({
    name: `${text}.txt`,
    mimeType: 'text/plain',
    buffer: Buffer.from(text),
  }))
  await page.setInputFiles('.check input', files)
  await page.locator('.check li:last-child[data-verdict]').waitFor()
  const verdicts = '[...document.querySelectorAll(".check li")].map(item => item.dataset.verdict)'
  assert.deepEqual(await page.evaluate(verdicts), ['current', 'old', 'unknown'])
  await page.locator('.check li a').last().click()
  assert.equal(page.url(), pathToFileURL(join(out, '-/file/a.txt/index.html')).href)
  assert.deepEqual(complaints, [])
})

test('a copy contains Markdown, llms.txt, exports, archives and the seven API replies as well as its pages', async () => {
  const has = new Set(await filesIn(acme))
  for (const path of [
    'index.md',
    'logo/misuse.md',
    'llms.txt',
    'llms-full.txt',
    '-/files.zip',
    '-/kits/logo.zip',
    '-/exports/styles.json',
    '-/media/files/logo/acme-logo.svg',
    ...['', '/pages', '/styles', '/files', '/page/logo/misuse'].map(
      of => `-/api/beta/workspace/acme/project/guidelines${of}.json`,
    ),
    '-/api/beta/workspace/acme.json',
    '-/api/beta/workspace/acme/projects.json',
  ])
    assert.ok(has.has(path), path)
  assert.match(await read(acme, 'llms.txt'), /\]\(logo\/misuse\.md\)/)
  const { data } = JSON.parse(await read(acme, '-/api/beta/workspace/acme/project/guidelines/files.json'))
  assert.ok(data === undefined || data.length > 0)
})

test('names that clash on some disks or that Windows forbids get distinct paths', async () => {
  const folder = await folderWith({
    'workspace.yaml': 'id: acme\nname: Acme\n',
    'guide/project.yaml': 'visibility: public\n',
    'guide/pages/index.md':
      '# Acme\n\n[Con](con.md) [colon](../files/a:b.txt) [Old](old.md) [none](none.md) ![x](Mark.svg) ![x](mark.svg)\n',
    'guide/pages/con.md': '---\naliases: [old]\n---\n# Con\n',
    'guide/pages/Mark.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
    'guide/pages/mark.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="2" height="2"/>',
    'guide/files/a:b.txt': 'text',
  })
  const out = join(places, 'names')
  const { status, stderr } = await copyOf(folder, out)
  assert.equal(status, 0, stderr)
  const files = await filesIn(out)
  assert.equal(new Set(files.map(path => path.toLowerCase())).size, files.length)
  const kept = files.filter(path => /^(?:con|old|-\/media)/i.test(path))
  assert.deepEqual(kept, [
    '-/media/files/a_b.txt',
    '-/media/pages/Mark.svg',
    '-/media/pages/mark~2.svg',
    'con_.md',
    'con_/index.html',
    'old/index.html',
  ])
  assert.match(await read(out, 'old/index.html'), /content="0; url=\.\.\/con_\/index\.html"/)
  assert.match(stderr, /left out of site: none\.md in index\.html/)
})

test('a copy of a guide without colours, type styles and fonts has no pages for them', async () => {
  const folder = await folderWith({ 'workspace.yaml': 'id: acme\n', 'guide/pages/index.md': '# Acme\n' })
  const out = join(places, 'plain')
  const { status, stderr } = await copyOf(folder, out, '--private')
  assert.equal(status, 0, stderr)
  assert.deepEqual(
    (await filesIn(out)).filter(path => /^-\/(?!api|assets|search)/.test(path) && path.endsWith('index.html')),
    ['-/pages/index.html', '-/use/index.html'],
  )
})

test('a private project is copied only with --private, and a folder with other files is not replaced', async () => {
  const folder = await folderWith({ ...SMALL_BRAND, 'guidelines/project.yaml': 'visibility: private\n' })
  const out = join(places, 'private')
  const copy = (...more: string[]) =>
    housestyle(['export', 'acme/guidelines', '--folder', folder, '--to', 'site', '--out', out, ...more])
  const refused = await copy()
  assert.equal(refused.status, 1)
  assert.match(refused.stderr, /is private, .* add --private/)
  await mkdir(out)
  await writeFile(join(out, 'thesis.txt'), 'mine')
  assert.match((await copy('--private')).stderr, /has files that are not from an earlier copy/)
  assert.deepEqual(await readdir(out), ['thesis.txt'])
  const { status, stderr } = await housestyle(['export', '--to', 'json', '--private'])
  assert.equal(status, 2)
  assert.match(stderr, /--private is for site, not for json/)
})

test('a copy shows a picture itself if no thumbnail of it can be made', async () => {
  const whole = await readFile('examples/acme/guidelines/files/images/acme-share.png')
  const folder = await folderWith({ ...SMALL_BRAND, 'guidelines/files/broken.png': whole.subarray(0, 2000) })
  const out = join(places, 'broken')
  const { status, stderr } = await copyOf(folder, out, 'acme/guidelines', '--private')
  assert.equal(status, 0, stderr)
  assert.match(await read(out, '-/files/index.html'), / src="(?:\.\.\/)*-?\/?media\/files\/broken\.png"/)
})

test('a copy replaces an earlier one with the same files and bytes, and an interrupted one leaves it unchanged', async () => {
  const folder = await folderWith({
    ...SMALL_BRAND,
    'guidelines/files/kit/share.png': await readFile('examples/acme/guidelines/files/images/acme-share.png'),
  })
  const out = join(places, 'replaced', 'site')
  const args = ['export', 'acme/guidelines', '--folder', folder, '--to', 'site', '--out', out, '--private']
  assert.equal((await housestyle(args)).status, 0)
  const before = await sumsIn(out)
  await writeFile(join(out, 'stale.html'), '')
  const stop = new AbortController()
  const stopped = housestyle(args, {}, { signal: stop.signal })
  const watch = setInterval(async () => {
    if ((await readdir(join(places, 'replaced'))).length > 1) stop.abort(new DOMException('SIGINT', 'AbortError'))
  }, 1)
  assert.equal((await stopped).status, 130)
  clearInterval(watch)
  assert.deepEqual(await readdir(join(places, 'replaced')), ['site'])
  assert.ok((await stat(join(out, 'stale.html'))).isFile())
  assert.equal((await housestyle(args)).status, 0)
  assert.deepEqual(await sumsIn(out), before)
})

/** Loads every visible picture of a page; false if one cannot be shown. */
const LOADS_PICTURES = `Promise.all(
  [...document.images]
    .filter(each => each.checkVisibility())
    .map(each => {
      each.loading = 'eager'
      return each.decode().then(() => each.naturalWidth > 0)
    }),
).then(all => all.every(Boolean))`

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}

function read(folder: string, path: string): Promise<string> {
  return readFile(join(folder, path), 'utf8')
}

function referencesOf(html: string): string[] {
  const found: string[] = []
  const walk = (node: DefaultTreeAdapterTypes.Node): void => {
    if ('attrs' in node)
      for (const { name, value } of node.attrs) {
        if (['href', 'src', 'action', 'poster'].includes(name)) found.push(value)
        if (name === 'srcset') found.push(...value.split(',').map(each => each.trim().split(' ')[0] ?? ''))
      }
    if ('content' in node) walk(node.content)
    if ('childNodes' in node) for (const child of node.childNodes) walk(child)
  }
  walk(parse(html))
  return found
}

function sheetReferences(css: string): string[] {
  return Array.from(css.matchAll(/url\("([^"]*)"\)/g), ([, address = '']) => address)
}
