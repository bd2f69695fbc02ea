import assert from 'node:assert/strict'
import test from 'node:test'
import { gzipSync } from 'node:zlib'
import { servedBrand } from '#test/support/served-brand.ts'

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

test('a list of more than 300 items shows its folders, each with its number of files and its first picture', async () => {
  const { text } = await ask(FILES)
  const folders = matches(text, /<li><a href="([^"]+)"><span class="tile/g)
  assert.deepEqual(folders, [
    '/acme/large/-/folder/photos',
    '/acme/large/-/folder/100%25%20wool',
    '/acme/large/-/folder/a%252Fb',
    '/acme/large/-/folder/docs',
    '/acme/large/-/folder/icons',
    '/acme/large/-/folder/v1.2',
    '/acme/large/-/folder/%E3%83%AD%E3%82%B4',
  ])
  assert.deepEqual(
    matches(text, /<span class="file-name">([^<]+)<\/span><\/a>\n<p class="quiet">([^<]+)<\/p>/g).join(),
    'Pictures of people,100% wool,a%2Fb,Docs,Icons,V1.2,ロゴ',
  )
  assert.deepEqual(matches(text, /<p class="quiet">([^<]+ files?)<\/p>/g), '310 1 1 1 320 1 1'.split(' ').map(counted))
  assert.equal(
    matches(text, /<img src="[^"]+\/([^"/]+)"[^>]* alt=""/g)
      .join()
      .slice(0, 8),
    '0000.svg',
  )
  assert.match(text, /role="status"[^>]*>638 files</)
  assert.equal(matches(text, /<li id="([^"]+)" data-kind/g).length, 3)
})

test('each folder has a page with the folders above it, and every item is on one page that links lead to', async () => {
  const queue = [FILES]
  const seen = new Set(queue)
  const items: string[] = []
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const { status, text } = await ask(path)
    assert.equal(status, 200, path)
    assert.ok(gzipSync(text).length < 150_000, path)
    if (!/\/files\/[a-z]+(-\d+)?$/.test(path) || path.includes('/all-'))
      items.push(...matches(text, /<li id="([^"]+)" data-kind/g))
    for (const link of matches(text, /<a href="(\/acme\/large\/-\/(?:files|folder)(?:\/[^"#.?]+|[^"]*v1\.2)?)"/g)) {
      if (seen.has(link) || /\/files\/[\w-]{20,}/.test(link)) continue
      seen.add(link)
      queue.push(link)
    }
  }
  assert.deepEqual([items.length, new Set(items).size], [639, 639])
  const { text } = await ask('/acme/large/-/folder/icons/round')
  assert.match(
    text,
    /<ol><li><a href="\/acme\/large\/-\/files">Files<\/a><\/li><li><a href="\/acme\/large\/-\/folder\/icons">Icons<\/a><\/li><\/ol><\/nav>\n<div class="titled"><h1>Round<\/h1>/,
  )
  assert.match(text, /<a href="\/acme\/large\/-\/kits\/icons\/round\.zip" download>Download Round as ZIP, /)
  assert.doesNotMatch(text, /<h2>Round/)
  assert.equal((await ask('/acme/large/-/folder/nothing')).status, 404)
})

test('a folder with more than 300 items of its own has several pages, also as the only folder of a guide', async () => {
  const first = await ask('/acme/large/-/folder/photos')
  assert.match(first.text, /<p class="note">Only for print<\/p>/)
  assert.deepEqual(matches(first.text, /<a href="([^"]+)"(?: aria-current="page")?>\d<\/a>/g), [
    '/acme/large/-/folder/photos',
    '/acme/large/-/folder/photos/-/2',
  ])
  const second = await ask('/acme/large/-/folder/photos/-/2')
  assert.match(second.text, /<title>Pictures of people, 2 – /)
  assert.equal(matches(second.text, /<li id="([^"]+)" data-kind/g).length, 10)
  const { text } = await ask('/acme/single/-/files')
  assert.deepEqual(matches(text, /<h2>(.*?)<\/h2>/g).slice(0, 1), ['Set'])
  assert.equal(matches(text, /<li id="([^"]+)" data-kind/g).length, 300)
  const last = await ask('/acme/single/-/files/all-3')
  assert.equal(matches(last.text, /<li id="([^"]+)" data-kind/g).length, 10)
  assert.equal((await ask('/acme/single/-/files/all-9')).text, last.text)
})

test('a list of 300 items is one page, and its folders have pages that nothing links to', async () => {
  const { text } = await ask('/acme/short/-/files')
  assert.equal(matches(text, /<li id="([^"]+)" data-kind/g).length, 300)
  assert.doesNotMatch(text, /class="parts"|\/-\/folder|data-remote/)
  assert.equal((await ask('/acme/short/-/files/all-2')).text, text)
  assert.equal((await ask('/acme/short/-/folder/a')).status, 200)
})

test('the page of a file links to the page of its folder at its place', async () => {
  const { text } = await ask('/acme/large/-/file/photos/0309.svg')
  const [place = ''] = matches(text, /<li><a href="([^"]+)">Pictures of people<\/a><\/li><\/ol>/g)
  const [path = '', anchor = ''] = place.split('#')
  assert.equal(path, '/acme/large/-/folder/photos/-/2')
  assert.ok((await ask(path)).text.includes(`<li id="${anchor}"`))
})

test('the filter by name and by use finds all items of a long list, without a script', async () => {
  const named = await ask(`${FILES}?name=people+ecran`)
  assert.deepEqual(matches(named.text, /download="([^"]+)"/g), ['0309.svg'])
  assert.match(named.text, /role="status"[^>]*>1 of 638 files</)
  assert.match(named.text, /<input type="search" name="name" value="people ecran"/)
  const inFolder = await ask('/acme/large/-/folder/icons?name=0309')
  assert.match(inFolder.text, /<p class="lead">No results for “0309”\.<\/p>/)
  const used = await ask(`${FILES}?medium=print`)
  assert.deepEqual(matches(used.text, /download="([^"]+)"/g), ['0309.svg'])
  const paged = await ask(`${FILES}?name=svg`)
  assert.ok(
    matches(paged.text, /<a href="([^"]+)"(?: aria-current="page")?>\d<\/a>/g).includes(`${FILES}/all-2?name=svg`),
  )
})

test('the list, the home page and cards of folders count the same files', async () => {
  const { text } = await ask('/acme/large')
  assert.match(text, /ZIP, 320 files, /)
  assert.match((await ask('/acme/short')).text, /<p>300 files<\/p>/)
})

function counted(count: string): string {
  return count === '1' ? '1 file' : `${count} files`
}

function matches(text: string, pattern: RegExp): string[] {
  return Array.from(text.matchAll(pattern), ([, found = '']) => found.replaceAll('&#38;', '&').replaceAll('&#37;', '%'))
}
