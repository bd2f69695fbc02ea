import assert from 'node:assert/strict'
import test from 'node:test'
import { servedBrand } from '../../support/service.ts'

const FOLDERS = 3
const IN_EACH = 400
const pages = Array.from({ length: FOLDERS * IN_EACH }, (_, at) => [
  `many/pages/f${at % FOLDERS}/p${at}.md`,
  `# Page ${at}\n`,
])
const { ask } = await servedBrand({
  ...Object.fromEntries(pages),
  'numbered/project.yaml': 'visibility: public\ntheme: { layout: index }\n',
  'covered/project.yaml': 'visibility: public\n',
  'plain/project.yaml': 'visibility: public\n',
  'linked/project.yaml': 'visibility: public\n',
  ...Object.fromEntries(['index', 'a', 'b', 'c'].map(id => [`linked/pages/${id}.md`, '# P\n\n[A](a.md), [B](b.md)\n'])),
  'plain/styles/colors.yaml': '- { name: Ink, rgb: [16, 24, 32] }\n',
  'plain/pages/index.md': '# Plain\n\nRead [about the voice](voice.md) first.\n',
  'plain/pages/voice.md': '# Voice\n',
  'plain/pages/logo.md': '# Logo\n',
  'plain/pages/kit/colour-palette.md': '# Tints\n\nText.\n\n## Part\n',
  'plain/pages/kit/farben.md': '# Farben\n',
  'plain/pages/kit/colors.md': '# Ours\n\n| #101820 |\n|---|\n',
  'plain/pages/kit/couleurs.md': '# Couleurs\n\n[Ink](../../styles/colors.yaml#ink)\n',
  ...Object.fromEntries(
    ['numbered', 'covered'].flatMap(guide => [
      [`${guide}/styles/colors.yaml`, '- { name: Ink, rgb: [16, 24, 32] }\n- { name: Red, hex: "#c30" }\n'],
      [`${guide}/pages/logo.md`, '---\ncover: ink\n---\n# Logo\n'],
      [`${guide}/pages/voice.md`, '# Voice\n'],
    ]),
  ),
  'covered/styles/types.yaml': '- { name: Body, family: Inter }\n',
  'covered/files/mark.svg':
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><path d="M0 0h9v9z"/></svg>',
  'covered/pages/mark.md': '---\ncover: ink\n---\n![Mark](../files/mark.svg)\n',
  'covered/pages/palette.md': '---\ncover: ink\n---\n[All](../styles/colors.yaml)\n',
  'covered/pages/type.md': '---\ncover: ink\n---\n[Body](../styles/types.yaml#body)\n',
  ...Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`flat/pages/p${at}.md`, `# Page ${at}\n`])),
})

test('the list of all pages has each page once, below its folder, in the order of the navigation', async () => {
  const { status, text } = await ask('/acme/many/-/pages?page=2')
  assert.equal(status, 200)
  const article = text.slice(text.indexOf('<article'), text.indexOf('</article>'))
  const listed = Array.from(
    article.matchAll(/<li>(F\d)|href="\/acme\/many\/(f\d\/p\d+)"/g),
    ([, folder, id]) => folder ?? id,
  )
  const ids = pages.map(([path = '']) => path.slice('many/pages/'.length, -'.md'.length))
  const expected = ['f0', 'f1', 'f2'].flatMap(folder => [
    folder.toUpperCase(),
    ...ids.filter(id => id.startsWith(folder)),
  ])
  assert.deepEqual(listed.toSorted(), expected.toSorted())
  const kept = listed.filter(name => name?.startsWith('F'))
  assert.deepEqual(kept, ['F0', 'F1', 'F2'])
  assert.equal(text, (await ask('/acme/many/-/pages')).text)
})

test('an overview of many pages has cards for the first ones, and links to the list of all', async () => {
  const { text } = await ask('/acme/flat')
  const main = text.slice(text.indexOf('<main'))
  assert.equal(main.match(/<li><a href="\/acme\/flat\/p\d+">/g)?.length, 100)
  assert.match(main, /These are the first 100 of <a href="\/acme\/flat\/-\/pages">all pages<\/a>/)
})

test('an overview lists folders without their own page, with links to their first pages', async () => {
  const { text } = await ask('/acme/many')
  const [list = ''] = /<ul class="cards" aria-label="Pages">.*?<\/ul>/s.exec(text) ?? []
  const links = list.matchAll(/<a href="\/acme\/many\/(f\d)\/p\d+">(F\d)<\/a>/g)
  const seen = Array.from(links, ([, folder, name]) => [folder, name])
  const expected = [0, 1, 2].map(at => [`f${at}`, `F${at}`])
  assert.deepEqual(seen, expected)
})

test('the layout index lists pages by number, also those with covers', async () => {
  const listOf = async (guide: string) =>
    /<ul class="(\w+)" aria-label="Pages">/.exec((await ask(`/acme/${guide}`)).text)?.[1]
  assert.deepEqual([await listOf('numbered'), await listOf('covered')], ['chapters', 'cards'])
})

test('the card of a page with only a colour as its cover shows colours, a picture or letters that it is about', async () => {
  const { text } = await ask('/acme/covered')
  const faces = Array.from(
    text.matchAll(/class="face[^>]*><(\w+).*?(?:width="(\d+)" height="(\d+)"|>)/g),
    ([, ...face]) => face.join(' ').trim(),
  )
  assert.deepEqual(faces, ['a', 'img 640 320', 'svg', 'span'])
  assert.match(text, /<rect x="0" width="1" height="1" fill="#101820"><\/rect><rect x="1" .*? fill="#cc3300">/)
})

test('a home page also lists pages without covers, apart from those to which it leads if these are most', async () => {
  const { text } = await ask('/acme/plain')
  assert.match(text, /<ul class="cards showcase".*<p>Read .*<ul class="chapters" aria-label="Pages">/s)
  assert.doesNotMatch((await ask('/acme/covered')).text, /class="chapters"/)
  const { text: linked } = await ask('/acme/linked')
  assert.match(linked, /Pages">(?:(?!linked\/[ab]).)*linked\/c(?:(?!linked\/[ab]).)*<\/ul>/s)
})

test('a page about colours that shows none shows the palette before its first section', async () => {
  const article = async (page: string) =>
    (await ask(`/acme/plain/kit/${page}`)).text.replace(/^[\s\S]*<article|<\/article>[\s\S]*$/g, '')
  const palette = /Text\.<\/p>.*<ul class="tiles">.*<h2/s
  assert.match(await article('colour-palette'), palette)
  assert.match(await article('farben'), /<ul class="tiles">/)
  for (const page of ['colors', 'couleurs']) assert.doesNotMatch(await article(page), /-\/colors\/all"/)
})
