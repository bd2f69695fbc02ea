import assert from 'node:assert/strict'
import test from 'node:test'
import { testService } from '#test/support/service.ts'
import { publishedBrand } from '#test/support/temporary-store.ts'

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>\n'
const DAY = 86_400_000
const [LAST_DAY, NEXT_DAY] = [Date.parse('2026-11-29T23:59:00Z'), Date.parse('2026-11-30T00:00:00Z')]

const temporary = await publishedBrand({
  'guide/project.yaml': 'visibility: public\ntheme: { logo: files/photos/launch.svg }\n',
  'guide/pages/index.md': '# Acme\n\n[The photo](../files/photos/launch.svg)\n\n[All photos](../files/photos/)\n',
  'guide/styles/colors.yaml': '- { name: Ink, hex: "#14212b" }\n- { name: Paper, hex: faf7f2 }\n',
  'guide/files/logo/logo-white.svg': SVG,
  'guide/files/logo/logo.svg': SVG,
  'guide/files/logo/logo.pdf': '%PDF-1.4\n',
  'guide/files/photos/launch.svg': SVG,
  'guide/files/photos/studio.svg': `${SVG}\n`,
  'guide/files/notes.txt': 'Notes.\n',
  'shared/files/a.txt': 'a',
  'shared/files/b.txt': 'b',
  'shared/files/own/c.txt': 'c',
  'shared/files/files.yaml': 'a.txt: { licence: CC0 }\nb.txt: { licence: CC0 }\nown/c.txt: { licence: MIT }\n',
  'guide/files/files.yaml': `logo/logo.svg: { medium: screen, minWidth: 24 }
logo/logo.pdf: { medium: print }
logo/logo-white.svg: { medium: [print, video], ground: ink, minWidth: 100 }
notes.txt: { medium: video }
photos/launch.svg: { licence: "CC BY <4.0>", territory: Europe, until: 2026-11-29 }
`,
})
const { ask, clock } = await testService(temporary, {}, LAST_DAY)

async function listed(path: string): Promise<string[]> {
  const { status, text } = await ask(`/acme/guide/-/${path}`)
  assert.equal(status, 200)
  return Array.from(text.matchAll(/name="path" value="files\/(.*?)"/g), ([, name = '']) => name)
}

test('the files page keeps the items with a format that fits medium, background and width', async () => {
  assert.deepEqual((await listed('files')).length, 5)
  const cases: [query: string, paths: string[]][] = [
    ['medium=print', ['logo/logo.pdf', 'logo/logo-white.svg']],
    ['medium=screen', ['logo/logo.pdf']],
    ['medium=print&ground=ink', ['logo/logo-white.svg']],
    ['ground=ink&medium=&minWidth=', ['logo/logo-white.svg']],
    ['minWidth=99', ['logo/logo.pdf']],
    ['minWidth=100', ['logo/logo.pdf', 'logo/logo-white.svg']],
    ['minWidth=23', []],
    ['medium=web', []],
  ]
  for (const [query, paths] of cases) assert.deepEqual(await listed(`files?${query}`), paths, query)
  assert.equal((await listed('files?minWidth=wide')).length, 5)
  assert.deepEqual(await listed('files/pictures?medium=video'), ['logo/logo-white.svg'])
})

test('a form without a script sets the filter, and links to other kinds keep it', async () => {
  const { text } = await ask('/acme/guide/-/files?medium=print&ground=ink')
  const form = /<form class="uses"[^>]* action="\/acme\/guide\/-\/files">[\s\S]*?<\/form>/.exec(text)?.[0] ?? ''
  const seen = Array.from(form.matchAll(/<option value="([^"]*)"( selected)?>/g), ([, id, isChosen]) => [
    id,
    isChosen !== undefined,
  ])
  assert.deepEqual(seen, [
    ['', false],
    ['screen', false],
    ['print', true],
    ['video', false],
    ['', false],
    ['ink', true],
  ])
  assert.match(form, /<input type="number" name="minWidth"/)
  const shown = (await ask('/acme/guide/-/files/pictures?medium=video')).text
  assert.match(shown, /href="\/acme\/guide\/-\/files\?medium=video"/)
  assert.match((await ask('/acme/guide/-/files?minWidth=2')).text, /No file says that it may be used for this\./)
})

test('a card says from which width and on what a file may be used, and its rights', async () => {
  const { text } = await ask('/acme/guide/-/files')
  const lines = Array.from(text.matchAll(/<p class="quiet">(.*?)<\/p>/g), ([, line]) => line)
  assert.deepEqual(lines, ['Screen, print, from 24 px', 'Print, video, from 100 px, on dark', 'Video'])
  assert.match(
    text,
    /<p class="rights"><span>CC BY &#60;4\.0&#62;<\/span> <span>Europe<\/span> <span>Until 29 November 2026<\/span> <\/p>/,
  )
  assert.match((await ask('/acme/guide')).text, /<p>Until 29 November 2026<\/p>/)
})

test('rights that all items of a folder share are once above them', async () => {
  const { text } = await ask('/acme/shared/-/files')
  assert.match(text, /<h2>General<\/h2>\s*<p class="rights"><span>CC0<\/span> <\/p>\s*<\/header><ul class="files">/)
  assert.deepEqual(text.match(/<span>(?:CC0|MIT)<\/span>/g), ['<span>CC0</span>', '<span>MIT</span>'])
})

test('a search finds only files that fit the filter, with or without words', async () => {
  const found = async (query: string) => {
    const { text } = await ask(`/acme/guide/-/search?${query}`, { headers: { accept: 'application/json' } })
    const { count, results }: { count: number; results: { path: string; title: string[] }[] } = JSON.parse(text)
    assert.equal(count, results.length)
    return results.map(({ title }) => title.join('')).sort()
  }
  assert.deepEqual(await found('q=logo'), ['Logo', 'logo-white.svg'])
  assert.deepEqual(await found('q=logo&medium=print'), ['Logo', 'logo-white.svg'])
  assert.deepEqual(await found('q=acme&medium=print'), [])
  assert.deepEqual(await found('ground=ink&medium=print'), ['logo-white.svg'])
  const { text } = await ask('/acme/guide/-/search?q=logo&medium=print')
  assert.match(text, /<option value="print" selected>/)
  assert.match(text, /<ol class="results">/)
})

test('the day after its last day in UTC, a file leaves kits, search, filters and exports, but keeps its address', async () => {
  const state = async () => {
    const kit = await ask('/acme/guide/-/kits/photos.zip')
    const all = await ask('/acme/guide/-/files.zip')
    const search = await ask('/acme/guide/-/search?q=launch', { headers: { accept: 'application/json' } })
    const chosen = await ask('/acme/guide/-/files.zip?path=files/photos/launch.svg')
    const skill = namesIn((await ask('/acme/guide/-/exports/skill.zip')).bytes)
    return {
      kit,
      all,
      skill: skill.some(name => name.endsWith('launch.svg')),
      count: JSON.parse(search.text).count,
      chosen: chosen.status,
    }
  }
  clock.now = LAST_DAY
  const before = await state()
  const page = await ask('/acme/guide/-/files')
  const address = /href="([^"]*launch\.svg)"/.exec(page.text)?.[1] ?? ''
  const facts = /ZIP, \d files, \d+.bytes/u.exec((await ask('/acme/guide')).text)?.[0] ?? ''
  clock.now = NEXT_DAY
  const after = await state()
  assert.deepEqual([namesIn(before.kit.bytes), before.count, before.chosen], [['launch.svg', 'studio.svg'], 1, 200])
  assert.deepEqual([namesIn(after.kit.bytes), after.count, after.chosen], [['studio.svg'], 0, 404])
  assert.deepEqual([before.skill, after.skill], [true, false])
  assert.ok(!namesIn(after.all.bytes).includes('guide/files/photos/launch.svg'))
  assert.notEqual(before.kit.headers.get('etag'), after.kit.headers.get('etag'))
  const expired = await ask('/acme/guide/-/files')
  assert.match(expired.text, /<p class="rights expired">.*<span>Expired on 29 November 2026<\/span>/)
  assert.doesNotMatch(expired.text, /value="files\/photos\/launch\.svg"|href="[^"]*launch\.svg"/)
  assert.match(
    expired.text,
    /<h2>Expired<\/h2>\n<\/header><ul class="files">\n<li [^>]*class="over">(?:(?!<li id=)[\s\S])*$/,
  )
  assert.notEqual(expired.headers.get('etag'), page.headers.get('etag'))
  assert.match(facts, /^ZIP, 2 files/)
  assert.match((await ask('/acme/guide')).text, /ZIP, 1 file,/)
  assert.equal((await ask(address)).status, 200)
  clock.now = NEXT_DAY + DAY
  assert.equal((await ask('/acme/guide/-/kits/photos.zip')).headers.get('etag'), after.kit.headers.get('etag'))
})

/** The names in the central directory of a ZIP archive (APPNOTE 4.3.12). */
function namesIn(bytes: Uint8Array): string[] {
  const zip = Buffer.from(bytes)
  const names: string[] = []
  for (let at = zip.indexOf('PK\u0001\u0002'); at !== -1; at = zip.indexOf('PK\u0001\u0002', at + 4))
    names.push(zip.toString('utf8', at + 46, at + 46 + zip.readUInt16LE(at + 28)))
  return names
}
