import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { treeHtml } from '#site/cards/element.ts'
import { familyName } from '#site/library/type/specimen/specimen.ts'
import { servedBrand } from '#test/support/service.ts'

const FONT = readFileSync('examples/acme/guidelines/files/fonts/IBMPlexSans-Italic-Latin1.woff2')
const TYPES = `
- name: "Heading <1>"
  family: IBM Plex Sans
  size: 32.5
  leading: 1.25
  tracking: -0.01
  casing: uppercase
  spacing: 0.5
  responsive: true
  features: { tnum: 1, liga: 0 }
- name: Quote
  family: "Missing </style>"
- name: Body
`
const { ask } = await servedBrand({
  'open/styles/types.yaml': TYPES,
  'open/files/plex.woff2': FONT,
  'open/files/broken.woff2': 'wOF2',
  'none/project.yaml': 'visibility: public\n',
})
const { status, text } = await ask('/acme/open/-/type')

test('the page of type lists its styles, each with an editable sample, its values and CSS to copy', () => {
  assert.equal(status, 200)
  assert.match(text, /Each sample can be edited: select it and type your own text\./)
  const [, heading = '', quote = '', body = ''] = text
    .slice(0, text.indexOf('<h2 id="fonts">'))
    .split('<li class="specimen" id="type-')
  assert.match(
    heading,
    /<div class="type-heading-1" translate="no" dir="auto" contentEditable="plaintext-only" role="textbox" aria-label="Write in Heading &#60;1&#62;" spellCheck="false">The five/,
  )
  assert.ok(heading.includes('<a href="/acme/open/-/type#type-heading-1">Heading &#60;1&#62;</a>'))
  const values = /<a href="\/acme\/open\/-\/type\/ibm-plex-sans">IBM Plex Sans<\/a><\/bdi> · (.*?)<\/p>/.exec(
    heading,
  )?.[1]
  assert.equal(values?.replaceAll('\u00a0', ' '), '24–\u206032.5 px / 1.25, -0.01 em, uppercase, liga 0, tnum 1')
  assert.ok(
    heading.includes(
      '<pre><code>font-family: &#34;IBM Plex Sans&#34;;\nfont-size: clamp(24px, 20.36px + 1.01vw, 32.5px);\nline-height: 1.25;\nletter-spacing: -0.01em;\ntext-transform: uppercase;\nfont-feature-settings: &#34;liga&#34; 0, &#34;tnum&#34; 1;\nmargin-block-end: 0.5em;</code></pre><button',
    ),
  )
  assert.ok(
    quote.includes(
      'This guide does not include Missing &#60;/style&#62;. If it is not installed, the sample uses another font.',
    ),
  )
  assert.ok(body.includes('No font is specified') && !body.includes('<pre>'))
})

test('a font family lists its fonts with weights, styles and links', async () => {
  const specimen = text.slice(text.indexOf('<section class="specimen"'))
  assert.match(
    specimen,
    /<h3><a href="\/acme\/open\/-\/type\/ibm-plex-sans">IBM Plex Sans<\/a><\/h3>[\s\S]*<li><span class="family-2 weight-400 slanted">Italic<\/span>\n<span class="quiet">400 italic<\/span>/,
  )
  const [, address = ''] = /href="([^"]+plex\.woff2)" download/.exec(specimen) ?? []
  assert.deepEqual(Buffer.from((await ask(address)).bytes), FONT)
  const sheet = await ask('/acme/open/-/type.css')
  assert.equal(sheet.headers.get('content-type'), 'text/css; charset=utf-8')
  assert.ok(sheet.text.includes(`src:url("${address}") format("woff2")`))
})

test('a font family shows its features, characters and licence', async () => {
  const specimen = text.slice(text.indexOf('<section class="specimen"'))
  assert.ok(
    specimen.includes(
      '<tr><th scope="row">Slashed zero <code>zero</code></th><td class="family-2 off-zero">0</td><td class="family-2 on-zero">0</td></tr>',
    ),
  )
  const sheet = (await ask('/acme/open/-/type.css')).text
  assert.ok(sheet.includes('.on-zero{font-feature-settings:"zero" 1}\n'))
  assert.ok(sheet.includes('.off-liga{font-feature-settings:"liga" 0}\n'))
  assert.match(
    specimen,
    /<summary>Latin <span class="quiet">\d+<\/span><\/summary>\n<ul class="glyphs family-2"[^>]*><li><details><summary>A<\/summary>U\+0041 LATIN CAPITAL LETTER A<\/details><li>/,
  )
  assert.match(specimen, /<dt>Licence<\/dt><dd>This Font Software is licensed under the SIL Open Font License/)
  assert.ok(specimen.includes('<dt>Embedding</dt><dd>May be embedded in documents, and installed from them.</dd>'))
})

test('in a language without Latin letters, its letters come before the name of a family that has them', () => {
  const family = { name: 'Kufi', number: 1, cuts: [], facts: undefined }
  const name = familyName('Kufi', { family: { ...family, ranges: [[0x600, 0x6ff]] }, styles: [], lang: 'ar' })
  assert.equal(treeHtml(name).text, '<span class="family-1" translate="no">أبجد <small>Kufi</small></span>')
})

test('the name of a family is as wide as the page in its own font', async () => {
  assert.ok(text.includes('<span class="family-2 name-2" translate="no">IBM Plex Sans</span></a>'))
  const sheet = (await ask('/acme/open/-/type.css')).text
  const [, size] = /\.names \.name-2\{font-size:min\(([\d.]+)cqi,70vh\)/.exec(sheet) ?? []
  assert.equal(size, '15.79')
})

test('an unreadable font is listed and has no face', async () => {
  assert.match(text, /broken\.woff2<\/a> cannot be read as a font, so it is not shown/)
  assert.doesNotMatch((await ask('/acme/open/-/type.css')).text, /broken/)
})

test('the page of a guide without type styles and fonts says so', async () => {
  const none = await ask('/acme/none/-/type')
  assert.deepEqual([none.status, none.text.includes('This guide has no type styles or fonts.')], [200, true])
  assert.deepEqual([(await ask('/acme/none/-/type.css')).text], [''])
})
