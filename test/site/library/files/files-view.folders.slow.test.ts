import assert from 'node:assert/strict'
import test from 'node:test'
import { gzipSync } from 'node:zlib'
import { servedBrand } from '#test/support/service.ts'

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><circle r="4"/></svg>'
const numbered = (count: number, path: (at: string) => string, text = (at: string) => `${SVG}<!-- ${path(at)} -->`) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [path(String(at).padStart(4, '0')), text(String(at).padStart(4, '0'))]),
  )

/** 638 items: 320 in two folders, half of them with two formats, 310 in one folder, and a few in folders with odd names. */
const ODD = ['100% wool', 'a%2Fb', 'ロゴ/横 組み', 'v1.2']
const { ask } = await servedBrand({
  ...numbered(160, at => `large/files/icons/round/SVG/${at}.svg`),
  ...numbered(
    160,
    at => `large/files/icons/round/PNG/${at}.png`,
    () => 'not a PNG',
  ),
  ...numbered(160, at => `large/files/icons/square/${at}.svg`),
  ...numbered(310, at => `large/files/photos/${at}.svg`),
  ...numbered(
    3,
    at => `large/files/${at}.bin`,
    at => at,
  ),
  ...Object.fromEntries(ODD.map(folder => [`large/files/${folder}/one.svg`, SVG])),
  'large/files/docs/0.txt': 'text',
  'large/files/docs/old.svg': `${SVG}<!-- old -->`,
  'large/files/files.yaml': `folders:
  photos: { title: Pictures of people, order: 1, description: Only for print }
docs/old.svg: { until: 2020-01-01 }
photos/0309.svg: { description: "Écran", medium: print }
`,
  'few/files/logo/logo.svg': SVG,
  ...numbered(7, at => `few/files/photos/${at}.svg`),
  'large/pages/index.md': '# Home\n\n[Icons](../files/icons/)\n',
  ...numbered(
    300,
    at => `short/files/a/${at}.bin`,
    at => at,
  ),
  ...numbered(
    610,
    at => `single/files/icons/set/${at}.bin`,
    at => at,
  ),
})
const FILES = '/acme/large/-/files'

test('a list of more than 300 items shows its folders, each with its number of files and its first picture, or the page of its only file', async () => {
  const { text } = await ask(FILES)
  assert.deepEqual(matches(text, /<li><a href="([^"]+)"><span class="folder-cover"><span class="tile/g), [
    '/acme/large/-/folder/files/photos',
    '/acme/large/-/folder/files',
    '/acme/large/-/file/100%25%20wool/one.svg',
    '/acme/large/-/file/a%252Fb/one.svg',
    '/acme/large/-/folder/files/docs',
    '/acme/large/-/folder/files/icons/round',
    '/acme/large/-/folder/files/icons/square',
    '/acme/large/-/file/v1.2/one.svg',
    '/acme/large/-/file/%E3%83%AD%E3%82%B4/%E6%A8%AA%20%E7%B5%84%E3%81%BF/one.svg',
  ])
  const seen = Array.from(
    text.matchAll(/<span class="folder-name">([^<]+)<\/span><\/a>\n<p>([^<]+)<\/p>/g),
    ([, name, facts]) => `${name}: ${facts}`,
  )
  assert.deepEqual(seen, [
    'Pictures of people: 310 files',
    'General: 3 files',
    '100% wool: 1 file',
    'a%2Fb: 1 file',
    'Docs: 1 file',
    'Round: Icons, 160 files',
    'Square: Icons, 160 files',
    'V1.2: 1 file',
    '横 組み: ロゴ, 1 file',
  ])
  assert.match(text, /<img src="[^"]+\/0000\.svg"[^>]* alt=""/)
  assert.match(text, /role="status"[^>]*>638 files</)
  assert.deepEqual(matches(text, /<li id="([^"]+)"/g), [])
})

test('each folder has a page, and every item is on one page that links lead to', async () => {
  const queue = [FILES]
  const seen = new Set(queue)
  const items: string[] = []
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const { status, text } = await ask(path)
    assert.equal(status, 200, path)
    assert.ok(gzipSync(text).length < 150_000, path)
    items.push(...matches(text, /<li(?: id|><a href)="([^"]+)"(?= data-kind|><span class="folder-cover">)/g))
    for (const link of matches(text, /<a href="(\/acme\/large\/-\/folder\/[^"#]+)"/g)) {
      if (seen.has(link)) continue
      seen.add(link)
      queue.push(link)
    }
  }
  const listed = items.filter(item => /^file-|\/-\/file\//.test(item))
  assert.deepEqual([listed.length, new Set(listed).size], [639, 639])
  const { text } = await ask('/acme/large/-/folder/files/icons/square')
  assert.match(text, /<ol><li><a href="\/acme\/large\/-\/files">Files<\/a><\/li><\/ol><\/nav>\n<h1>Square<\/h1>/)
  assert.match(text, /<a href="\/acme\/large\/-\/kits\/icons\/square\.zip" download /)
  assert.doesNotMatch(text, /<h2>Square/)
  for (const path of ['files/nothing', 'files/icons', '2', '0/files', 'toString'])
    assert.equal((await ask(`/acme/large/-/folder/${path}`)).status, 404, path)
})

test('a folder with more than 300 items has several pages, also as the only folder of a guide', async () => {
  const first = await ask('/acme/large/-/folder/files/photos')
  assert.match(first.text, /<p>Only for print<\/p>/)
  assert.deepEqual(matches(first.text, /<a href="([^"]+)"(?: aria-current="page")?>\d<\/a>/g), [
    '/acme/large/-/folder/files/photos',
    '/acme/large/-/folder/2/files/photos',
  ])
  const second = await ask('/acme/large/-/folder/2/files/photos')
  assert.match(second.text, /<title>Pictures of people, 2 – /)
  assert.equal(matches(second.text, /<li id="([^"]+)" data-kind/g).length, 110)
  const { text } = await ask('/acme/single/-/files')
  assert.deepEqual(matches(text, /<h2>(.*?)<\/h2>/g).slice(0, 1), ['Set'])
  assert.equal(matches(text, /<li id="([^"]+)" data-kind/g).length, 200)
  const last = await ask('/acme/single/-/files/all-4')
  assert.equal(matches(last.text, /<li id="([^"]+)" data-kind/g).length, 10)
  assert.equal((await ask('/acme/single/-/files/all-9')).text, last.text)
})

test('a list of 300 items is one page with a filter, and its folders have pages that nothing links to', async () => {
  const { text } = await ask('/acme/short/-/files')
  assert.equal(matches(text, /<li id="([^"]+)" data-kind/g).length, 300)
  assert.match(text, /class="narrow"/)
  assert.doesNotMatch(text, /aria-label="Pages of this list"|\/-\/folder/)
  assert.equal((await ask('/acme/short/-/files/all-2')).text, text)
  assert.equal((await ask('/acme/short/-/folder/files/a')).status, 200)
})

test('the page of a file links to the page of its folder at its place', async () => {
  const { text } = await ask('/acme/large/-/file/photos/0309.svg')
  const [place = ''] = matches(text, /<li><a href="([^"]+)">Pictures of people<\/a><\/li><\/ol>/g)
  const [path = '', anchor = ''] = place.split('#')
  assert.equal(path, '/acme/large/-/folder/2/files/photos')
  assert.ok((await ask(path)).text.includes(`<li id="${anchor}"`))
})

test('a list of more than 300 items has a form for search, which finds each by its name, and the filter by use', async () => {
  const { text } = await ask(FILES)
  assert.match(text, /<div class="search"><form action="\/acme\/large\/-\/search">\n<label for="Name">/)
  assert.doesNotMatch(text, /class="narrow"/)
  assert.match((await ask('/acme/large/-/folder/files/icons/round')).text, /class="narrow"/)
  for (const [name, path] of [
    ['0309.svg', 'photos/0309.svg'],
    ['Écran', 'photos/0309.svg'],
    ['one', '100%25%20wool/one.svg'],
  ] as const) {
    const found = await ask(`/acme/large/-/search?q=${encodeURIComponent(name)}`)
    assert.equal(matches(found.text, /<a href="\/acme\/large\/-\/file\/([^"]+)"/g)[0], path)
  }
  const used = await ask(`${FILES}?medium=print`)
  assert.deepEqual(matches(used.text, /download="([^"]+)"/g), ['0309.svg'])
})

test('the list, the home page and cards of folders count the same files', async () => {
  const { text } = await ask('/acme/large')
  assert.match(text, /ZIP, 320 files, /)
  assert.match((await ask('/acme/short')).text, /<p>300 files<\/p>/)
})

function matches(text: string, pattern: RegExp): string[] {
  return Array.from(text.matchAll(pattern), ([, found = '']) => found.replaceAll('&#38;', '&').replaceAll('&#37;', '%'))
}

test('above a list of more than six items in several folders, covers with three pictures link to these, or to their only file', async () => {
  const { text } = await ask('/acme/few/-/files')
  const covers = /<ul class="covers">(.*?)<\/ul>/s.exec(text)?.[1] ?? ''
  const seen = Array.from(
    covers.matchAll(/<a href="(.*?)">(.*?)<\/a>\n<p>(.*?)<\/p>/g),
    ([, path, cover = '', count]) => [path, matches(cover, /<img [^>]*src="[^"]*\/([^"/]+)"/g).length, count],
  )
  assert.deepEqual(seen, [
    ['/acme/few/-/file/logo/logo.svg', 1, '1 file'],
    ['/acme/few/-/folder/files/photos', 3, '7 files'],
  ])
  assert.equal(text.match(/<section class="folder">/g)?.length, 2)
  assert.equal((await ask('/acme/few/-/folder/files/photos')).text.match(/<li id="file-/g)?.length, 7)
})
