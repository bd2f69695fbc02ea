import assert from 'node:assert/strict'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { IndexUnavailable } from '#delivery/search/indexer.ts'
import { headersOf, replyHeader } from '#platform/exchange/message.ts'
import { searchReply } from '#site/search/search.ts'
import { variableInter } from '../../support/fonts.ts'
import { guideOf } from '../../support/guide.ts'
import { type Answer, testService } from '../../support/service.ts'
import { temporaryStore } from '../../support/temporary-store.ts'
import { until } from '../../support/until.ts'

const temporary = await temporaryStore()
const acme = fileURLToPath(new URL('../../../examples/acme', import.meta.url))
await cp(acme, join(temporary.folder, 'acme'), { recursive: true })
await temporary.importing('acme', {})
await temporary.importing('made', {
  'small/project.yaml': 'name: Small\nvisibility: public\n',
  'small/pages/a.md': '---\ntitle: <b>Über</b>\n---\nThe `<i>script</i>` & <b>wolf</b>\n',
  'small/pages/a/b.md': '# 色\n\n品牌颜色\n\n## Clear space\n\nOne mark wide.\n\n## Clear space\n\nThe second.\n',
  'small/pages/code.md': '# Code\n\n```css\n# heron\n```\n',
  'empty/project.yaml': 'name: Empty\nvisibility: public\n',
  'many/project.yaml': 'name: Many\nvisibility: public\n',
  ...Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [`many/pages/p${at}.md`, `# Page ${at}\n\n${'word '.repeat(900)}`]),
  ),
})
for (const place of ['acme/guidelines', 'made/small', 'made/empty', 'made/many']) await temporary.publish(place)
const { ask, follow } = await testService(temporary)

const BROWSER = { headers: { accept: 'text/html' } }

type Result = {
  path: string
  title: string[]
  where: string
  text: string[]
  hex?: string
  picture?: string
  look?: string
  sign?: string
}

function search(project: string, text: string, headers = { accept: 'application/json' }): Promise<Answer> {
  return ask(`/${project}/-/search?${new URLSearchParams({ q: text })}`, { headers })
}

async function results(project: string, text: string): Promise<Result[]> {
  return JSON.parse((await search(project, text)).text).results
}

test('searches in the example have the expected first result', async () => {
  const cases: [string, string, string][] = [
    ['logo', 'Logo', 'Page'],
    ['misuse', 'Logo misuse', 'Page · Logo'],
    ['cc3a06', 'Vermilion', 'Colour'],
    ['204,58,6', 'Vermilion', 'Colour'],
    ['0,85,100,10', 'Vermilion', 'Colour'],
    ['1665 C', 'Vermilion', 'Colour'],
    ['RAL 2002', 'Vermilion', 'Colour'],
    ['oklch(57.8% 0.19 38.9)', 'Vermilion', 'Colour'],
    ['heading 1', 'Heading 1', 'Type style'],
    ['app-icon.png', 'App icon', 'File · SVG, PNG'],
    ['logp', 'Logo', 'Page'],
    ['colour sheet', 'Colour sheet', 'File · PDF'],
  ]
  for (const [text, title, where] of cases) {
    const [first] = await results('acme/guidelines', text)
    assert.deepEqual([first?.title.join(''), first?.where], [title, where], text)
  }
})

test('optional marks, invisible characters and other letters of one sound are folded on pages and in questions', async () => {
  await temporary.publishing('made/marks', {
    'marks/project.yaml': 'lang: ar\nvisibility: public\n',
    'marks/pages/logo.md': '# الشعار\n\nتُكتَبُ الهُوِيَّةُ بِالعَرَبِيَّةِ دائمًا. مـــرحبًا. اللون أزرق على مدى النص ١٢٣.\n',
    'marks/pages/he.md': '# מותג\n\nהַלּוֹגוֹ שֶׁלָּנוּ צָרִיךְ מָקוֹם\n',
    'marks/pages/fa.md': '# برند\n\nرنگ‌های اصلی نمی‌شوند کتاب. می&zwnj;رود\n',
    'marks/pages/de.md':
      '# Wort&shy;art\n\nSil\u00adbe <b>Donau<wbr>dampf</b> zero\u200bwidth \ufefffirst\n\n<p>Schiff&shy;fahrt</p>\n',
  })
  await follow()
  const cases: [page: string, ...questions: string[]][] = [
    ['logo', 'الهوية', 'الهُوِيَّة', 'بالعربية', 'مرحبا', 'ازرق', 'أزرق', 'مدي', 'على', 'علی', '123', '۱۲۳'],
    ['he', 'מקום', 'הלוגו', 'מָקוֹם'],
    ['fa', 'رنگهای', 'رنگ های', 'رنگ‌های', 'نمیشوند', 'نمی‌شوند', 'كتاب', 'میرود', 'می رود'],
    ['de', 'wortart', 'Wort\u00adart', 'silbe', 'donaudampf', 'zerowidth', 'first', 'schifffahrt', 'Schiff\u200bfahrt'],
  ]
  for (const [page, ...questions] of cases)
    for (const question of questions) {
      const found = await results('made/marks', question)
      const seen = found.map(({ path }) => path.replace(/#.*/, ''))
      assert.deepEqual(seen, [`/made/marks/${page}`], question)
      assert.ok([...(found[0]?.title ?? []), ...(found[0]?.text ?? [])].length > 2, `${question} is marked`)
    }
})

test('a file, page or colour whose whole name is searched comes before pages that repeat the word', async () => {
  await temporary.publishing('made/names', {
    'names/project.yaml': 'visibility: public\n',
    'names/styles/colors.yaml': '- { name: Sea, hex: "083a50" }\n- { name: Plum, hex: "663399" }\n',
    'names/pages/react-components.md': `# React components of the sea\n\n## React and sea\n\n${'react sea '.repeat(10)}\n`,
    'names/pages/sea-views.md': '# Sea views\n\nMore.\n',
    'names/files/react.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
  })
  await follow()
  for (const [text, first] of [
    ['react', 'react.svg'],
    ['React', 'react.svg'],
    ['react.svg', 'react.svg'],
    ['reac', 'react.svg'],
    ['sea', 'Sea'],
    ['rebeccapurple', 'Plum'],
    ['sea views', 'Sea views'],
    ['react components', 'React components of the sea'],
  ] as const)
    assert.equal((await results('made/names', text))[0]?.title.join(''), first, text)
})

test('a colour comes with its swatch and values, and matching values are marked', async () => {
  const [first] = await results('acme/guidelines', '1665 C')
  assert.deepEqual(first, {
    path: '/acme/guidelines/-/contrast/vermilion',
    title: ['Vermilion'],
    where: 'Colour',
    text: [
      '#cc3a06 · RGB 204,58,6 · CMYK 0,85,100,10 · Pantone ',
      '1665',
      ' ',
      'C',
      ' · Pantone ',
      '1665',
      ' U · RAL 2002',
    ],
    hex: '#cc3a06',
  })
  const { text } = await search('acme/guidelines', '1665 C', BROWSER.headers)
  assert.match(text, /<svg aria-hidden="true"><rect width="100%" height="100%" fill="#cc3a06"\/><\/svg>/)
})

test('a result has a small picture: a cover, a file on its ground, or a sign', async () => {
  const [page] = await results('acme/guidelines', 'logo')
  assert.match(page?.picture ?? '', /\/covers?[^/]*\/|\/-\/files\//)
  const [reversed] = await results('acme/guidelines', 'acme-logo-reversed.svg')
  assert.deepEqual([reversed?.look, /\/acme-logo-reversed\.svg$/.test(reversed?.picture ?? '')], ['ground-ink', true])
  assert.equal((await results('acme/guidelines', 'heading 1'))[0]?.sign, 'Aa')
  const { text } = await search('acme/guidelines', 'acme-logo-reversed.svg', BROWSER.headers)
  assert.match(text, /<li><span class="thumb ground-ink" aria-hidden="true"><img src="[^"]+" alt="" decoding="async"/)
})

test('all formats of an item are one result, also with a filter and without words', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="12"/>\n'
  const names = ['sign.svg', 'sign.txt', 'other.svg']
  await temporary.publishing('made/formats', {
    'formats/project.yaml': 'visibility: public\n',
    'formats/files/files.yaml': names.map(name => `${name}: { medium: print }\n`).join(''),
    ...Object.fromEntries(names.map(name => [`formats/files/${name}`, name.endsWith('svg') ? svg : 'A sign.\n'])),
  })
  await follow()
  const found = await search('made/formats', 'sign')
  const { count, results: listed } = JSON.parse(found.text)
  assert.deepEqual([count, listed.length, listed[0].where], [1, 1, 'File · SVG, TXT'])
  const { text } = await ask('/made/formats/-/search?medium=print', BROWSER)
  assert.equal(text.match(/<li><span class="thumb/g)?.length, 2)
})

test('a variable font in several formats is found by its name without a weight', async () => {
  const font = variableInter([['wght', 100, 400, 900]])
  await temporary.publishing('made/fonts', {
    'fonts/project.yaml': 'visibility: public\n',
    'fonts/files/files.yaml': 'inter.*: { medium: print, subFamily: Black Italic }\n',
    'fonts/files/inter.ttf': font,
    'fonts/files/inter.otf': font,
  })
  await follow()
  const titles = async (query: string) => {
    const { text } = await ask(`/made/fonts/-/search?${query}`, { headers: { accept: 'application/json' } })
    return JSON.parse(text).results.map(({ title }: Result) => title.join(''))
  }
  // A reply under load does not wait until the font is read.
  await until(async () => isDeepStrictEqual(await titles('q=inter'), ['Inter Italic']))
  assert.deepEqual(await titles('medium=print'), ['Inter Italic'])
})

test('a search without results suggests the first pages', async () => {
  const reply = JSON.parse((await search('acme/guidelines', 'xylophone')).text)
  assert.deepEqual([reply.count, reply.results, reply.suggestions.length], [0, [], 8])
  const seen = reply.suggestions.slice(0, 2).map(({ path, title }: Result) => [path, title])
  assert.deepEqual(seen, [
    ['/acme/guidelines/logo', ['Logo']],
    ['/acme/guidelines/color', ['Colour']],
  ])
  const { text } = await search('acme/guidelines', 'xylophone', BROWSER.headers)
  assert.match(text, /<\/article>\n<ul class="cards"[^>]*>\n<li>.*href="\/acme\/guidelines\/logo"/s)
  assert.equal(JSON.parse((await search('acme/guidelines', 'logo')).text).suggestions, undefined)
})

test('a page is found once, at its best matching heading, in any script', async () => {
  const [space, ...rest] = await results('made/small', 'second')
  const seen = [space?.path, space?.title, space?.where]
  assert.deepEqual(seen, ['/made/small/a/b#clear-space-1', ['Clear space'], 'Page · <b>Über</b> / 色'])
  assert.deepEqual(rest, [])
  assert.equal((await results('made/small', 'clear space')).length, 1)
  const [chinese] = await results('made/small', '颜色')
  assert.deepEqual([chinese?.path, chinese?.text], ['/made/small/a/b', ['品牌', '颜色', '']])
  assert.equal((await results('made/small', 'uber'))[0]?.path, '/made/small/a')
  assert.equal((await results('made/small', 'heron'))[0]?.path, '/made/small/code')
})

test('the search page has the words in its form and marked in the results, all escaped', async () => {
  const { status, headers, text } = await search('made/small', 'wolf "><script>', BROWSER.headers)
  assert.equal(status, 200)
  assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none';/)
  assert.match(text, /<title>“wolf &#34;&#62;&#60;script&#62;” – /)
  assert.match(text, /name="q" value="wolf &#34;&#62;&#60;script&#62;"/)
  assert.match(text, /<p role="status">One result for /)
  assert.match(text, /The &#60;i&#62;<mark>script<\/mark>&#60;\/i&#62; &#38; <mark>wolf<\/mark>/)
  assert.doesNotMatch(text, /<script>|<b>Über|<i>/)
})

test('without words the page asks for some, and without results it says so and suggests what to do', async () => {
  for (const query of ['', '?q=', '?q=%00%20', '?p=logo']) {
    const { status, text } = await ask(`/acme/guidelines/-/search${query}`, BROWSER)
    assert.equal(status, 200)
    assert.match(text, /<h1>Search<\/h1>.*<article class="search">\n<form role="search"/s)
    assert.doesNotMatch(text, /role="status"/)
  }
  const { text } = await search('acme/guidelines', 'xylophone', BROWSER.headers)
  assert.match(text, /No results for “xylophone”\..*\n.*href="\/acme\/guidelines\/-\/pages"/)
  assert.deepEqual(await results('made/empty', 'logo'), [])
  const some = await search('acme/guidelines', 'vermilion xylophone', BROWSER.headers)
  assert.match(some.text, /No result contains all the words; these contain some of them\./)
})

test('at most fifty results are shown, eight while typing, with the number of all', async () => {
  const { text } = await search('made/many', 'word', BROWSER.headers)
  assert.match(text, /The best 50 of 60 results for “word”/)
  assert.equal(text.match(/<li><div><a /g)?.length, 50)
  const typed = JSON.parse((await search('made/many', 'word')).text)
  assert.deepEqual([typed.count, typed.hasAll, typed.results.length], [60, true, 8])
})

test('no cache keeps a search, and no search engine lists it', async () => {
  for (const headers of [BROWSER.headers, { accept: 'application/json' }]) {
    const reply = await search('acme/guidelines', 'logo', headers)
    assert.deepEqual(
      ['cache-control', 'vary', 'x-robots-tag', 'x-content-type-options'].map(name => reply.headers.get(name)),
      ['no-store', 'Accept', 'noindex', 'nosniff'],
    )
  }
})

test('every search text gets an answer', async () => {
  const hostile = ['__proto__', 'constructor', '(a+)+$', '*', '%', '\0\u202e', 'a'.repeat(7000), 'a '.repeat(3000)]
  for (const text of hostile) assert.equal((await search('acme/guidelines', text)).status, 200, text)
  for (const query of ['q=%ff', 'q=%ud800', 'q=%', 'q[]=1', 'q=a&q=b', '%00'])
    assert.equal((await ask(`/acme/guidelines/-/search?${query}`)).status, 200, query)
  assert.equal((await search('acme/guidelines', `${'x'.repeat(199)}🙂`)).status, 200)
})

test('concurrent searches have the same results, and later publications are found', async () => {
  const at = async () => JSON.parse((await search('made/small', 'otter')).text).count
  assert.deepEqual(await Promise.all(Array.from({ length: 20 }, at)), Array(20).fill(0))
  await temporary.publishing('made/small', { 'small/pages/otter.md': '# Otter\n' })
  await follow()
  assert.equal(await at(), 1)
})

test('a search waits for an index only up to its limit, and is refused for longer if no index can be built', async () => {
  const request = { method: 'GET', path: '', query: 'q=a', headers: {}, authorizations: 0, address: '' }
  for (const [indexes, seconds] of [
    [() => Promise.race([]), '5'],
    [() => Promise.reject(new IndexUnavailable()), '300'],
  ] as const) {
    const { status, headers } = await searchReply(
      await guideOf(temporary.store, 'acme', 'guidelines', { indexes }),
      request,
      1,
    )
    assert.equal(status, 503)
    assert.deepEqual(headers.slice(-2), ['Retry-After', seconds])
  }
})

/** The reply to a search of the example while its index is being built. */
async function replyWithoutIndex(query: string, accept: string) {
  const guide = await guideOf(temporary.store, 'acme', 'guidelines', { indexes: () => Promise.race([]) })
  const request = { method: 'GET', path: '', query, headers: { accept }, authorizations: 0, address: '' }
  const reply = await searchReply(guide, request, 1)
  assert.ok(reply.body instanceof Uint8Array)
  const fieldValue = (name: string) => replyHeader(headersOf(reply), name)
  return { status: reply.status, text: new TextDecoder().decode(reply.body), fieldValue }
}

test('while the index is being built, pages are found by the words of their names and descriptions', async () => {
  const json = await replyWithoutIndex('q=typo', 'application/json')
  const { count, results } = JSON.parse(json.text)
  assert.deepEqual([json.status, count, results[0].path], [200, 1, '/acme/guidelines/typography'])
  const { status, text, fieldValue } = await replyWithoutIndex('q=typo', 'text/html')
  assert.deepEqual([status, fieldValue('refresh')], [200, '5'])
  assert.match(text, /is being prepared\..*<ol class="results">.*<a href="[^"]*\/acme\/guidelines\/typography">/s)
})

test('people get a page with a link to search again while the index is being built, and browsers search again', async () => {
  const { status, text, fieldValue } = await replyWithoutIndex('q=zz%26b', 'text/html')
  assert.equal(status, 503)
  assert.deepEqual(['cache-control', 'refresh', 'retry-after'].map(fieldValue), ['no-store', '5', '5'])
  assert.match(text, /<h1>Search<\/h1>.*<p role="status">The search of this guide is being prepared\./s)
  assert.match(text, / <a href="[^"]*\/acme\/guidelines\/-\/search\?q=zz%26b">Try again<\/a> in a moment\.<\/p>/)
})
