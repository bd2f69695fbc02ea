import assert from 'node:assert/strict'
import test from 'node:test'
import { isStyleId, type StyleId } from '#brand/ids.ts'
import { element } from '#site/cards/element.ts'
import type { ColorTarget, LinkTarget } from '#site/cards/link-target.ts'
import { renderMarkdown } from '#site/markdown/markdown.ts'

const TARGETS: ReadonlyMap<string, LinkTarget> = new Map<string, LinkTarget>([
  ['/g/-/colors#color-ink', colorTarget('ink', 'Ink', '#14212b')],
  ['/g/-/colors#color-paper', colorTarget('paper', '<b>Paper</b>', '#faf7f2')],
  [
    '/g/-/colors',
    {
      kind: 'palette',
      colors: [colorTarget('ink', 'Ink', '#14212b'), colorTarget('paper', 'Paper', '#faf7f2')],
      count: 77,
    },
  ],
  [
    '/g/-/type#type-h1',
    {
      kind: 'type',
      styles: [{ name: 'H1', className: 'type-h1', href: '/g/-/type#type-h1', facts: '48 px', sample: 'H1' }],
    },
  ],
  [
    '/g/-/files/k/logo.svg',
    { kind: 'file', type: 'SVG', facts: 'SVG, 2 kB', preview: { src: '/logo.svg', width: 4, height: 2, alt: '' } },
  ],
  [
    '/g/-/files/k/film.mp4',
    { kind: 'file', type: 'MP4', facts: 'MP4, 2 MB', media: { kind: 'video', src: '/g/-/files/k/film.mp4' } },
  ],
  ['/g/-/files/k/logo.svg?stage', { kind: 'stage', href: '/g/-/file/logo.svg', view: element('section', {}, 'Stage') }],
  ['/g/-/files/k/all.zip', { kind: 'file', type: 'ZIP', facts: 'ZIP, 7 kB' }],
  ['/g/-/kits/logo.zip', { kind: 'folder', facts: 'ZIP, 3 files, 9 kB', pictures: [] }],
  ['/g/plain', { kind: 'page', description: 'About <it>', isCovered: false }],
  ['/g/ground', { kind: 'page', isCovered: false, ground: styleId('red') }],
  ['/g/cover', { kind: 'page', isCovered: true, ground: styleId('red') }],
])

function styleId(text: string): StyleId {
  assert.ok(isStyleId(text))
  return text
}

function colorTarget(id: string, name: string, hex: string): ColorTarget {
  return {
    kind: 'color',
    color: { id: styleId(id), name, rgb: '0,0,0', hex },
    letters: 'white-letters',
    lettersHex: '#ffffff',
    href: `/g/-/colors#color-${id}`,
  }
}

function render(text: string, targets = TARGETS) {
  const { html, hasTypeSamples } = renderMarkdown(text, { name: 'Page', pictures: new Map(), linkTargets: targets })
  return { html: html.text, hasTypeSamples }
}

const PARAGRAPHS: Readonly<Record<string, readonly [markdown: string, html: RegExp]>> = {
  'a colour is a tile with its values': [
    '[Our ink](/g/-/colors#color-ink)',
    /^<ul class="tiles"><li class="white-letters"><svg.*fill="#14212b".*>Our ink<\/a><\/p>.*<dl><div class="hex"><dt>Hex<\/dt><dd>#14212b<button/,
  ],
  'all colours or a group of them are a palette, with a link to the rest below it': [
    '[Colours](/g/-/colors)',
    /^<div><ul class="tiles">(?:<li.*<\/li>){2}<\/ul><p><a href="\/g\/-\/colors">Colours<\/a>.*77.*<\/div>/,
  ],
  'a type style is a specimen': [
    '[Heading](/g/-/type#type-h1)',
    /<div class="type-h1" translate="no">H1<\/div><\/div><p><a href="\/g\/-\/type#type-h1">Heading<\/a><\/p><p>48 px/,
  ],
  'a file is a download card': [
    '[Logo](/g/-/files/k/logo.svg)',
    /<li class="file"><span class="face"><img src="\/logo.svg" width="4" height="2" alt="".*<a href="\/g\/-\/files\/k\/logo.svg" download>Logo<\/a><p>SVG, 2 kB<\/p>/,
  ],
  'a video is a player': [
    '[Film](/g/-/files/k/film.mp4 "How we plane")',
    /<video controls preload="metadata" src="\/g\/-\/files\/k\/film.mp4" aria-label="Film"><\/video>.*<p>How we plane<\/p><p>MP4, 2 MB<\/p>/,
  ],
  'a file without a preview is a line': [
    '[All](/g/-/files/k/all.zip)',
    /<li class="file"><div><a href="\/g\/-\/files\/k\/all.zip" download>All<\/a><p>ZIP, 7 kB<\/p>/,
  ],
  'a file without a preview has a face next to cards with one': [
    '- [Logo](/g/-/files/k/logo.svg)\n- [All](/g/-/files/k/all.zip)',
    /<span class="face"><span aria-hidden="true">ZIP<\/span><\/span><div><a href="\/g\/-\/files\/k\/all.zip" download>All<\/a>/,
  ],
  'a folder is a download card of one archive': [
    '[Logo kit](/g/-/kits/logo.zip)',
    /<li class="file"><div><a href="\/g\/-\/kits\/logo.zip" download>Logo kit<\/a><p>ZIP, 3 files, 9 kB<\/p>/,
  ],
  'a page is a card': [
    '[More](/g/plain#part)',
    /<li class="page"><div><a href="\/g\/plain#part">More<\/a><p>About &#x3C;it><\/p>/,
  ],
  'a page of another site is a card with its host': [
    '<https://x.example/a?b>',
    /<li class="external"><div><a href="https:\/\/x.example\/a\?b" rel="noopener noreferrer">https:\/\/x.<wbr>example\/<wbr>a\?b<\/a><p>x.example<\/p>/,
  ],
}

for (const [what, [markdown, html]] of Object.entries(PARAGRAPHS))
  test(`alone in a paragraph, ${what}`, () => {
    const page = render(markdown)
    assert.match(page.html, html)
    assert.equal(page.hasTypeSamples, what.includes('specimen'))
  })

const LISTS: Readonly<Record<string, readonly [markdown: string, html: RegExp]>> = {
  'colours are tiles': [
    '- [Ink](/g/-/colors#color-ink)\n- [Paper](/g/-/colors#color-paper)',
    /^<ul class="tiles"><li class="white-letters">.*<\/li><li class="white-letters">/,
  ],
  'colours with percentages are an area': [
    '- [Paper](/g/-/colors#color-paper) 60 %\n- [Ink](/g/-/colors#color-ink): 40%',
    /^<figure class="proportions"><svg class="area" aria-hidden="true" direction="ltr"><svg x="0%" y="0%" width="60%" height="100%"><rect width="100%" height="100%" fill="#faf7f2">.*<a href="\/g\/-\/colors#color-ink">Ink<\/a> 40%<\/li><\/ul><\/figure>$/,
  ],
  'files and folders are downloads': [
    '* [Logo](/g/-/files/k/logo.svg)\n\n* [Kit](/g/-/kits/logo.zip)',
    /^<ul class="cards link-cards"><li class="file">.*<li class="file">/,
  ],
  'pages are cards if every page has a cover': [
    '- [Cover](/g/cover)\n- [Again](/g/cover)',
    /^<ul class="cards link-cards"><li class="page"><span class="face titled ground-red"><a href="\/g\/cover">Cover<\/a><\/span><div><\/div><\/li><li/,
  ],
  'pages without covers are a list with their descriptions': [
    '- [Plain](/g/plain)\n- [Cover](/g/cover)',
    /^<ul class="page-list"><li><a href="\/g\/plain">Plain<\/a><p>About &#x3C;it><\/p><\/li><li><a href="\/g\/cover">Cover<\/a><\/li><\/ul>$/,
  ],
  'pages of other sites are cards': [
    '- [One](https://x.example/)\n- <http://y.example>',
    /^<ul class="cards link-cards"><li class="external">.*<li class="external">/,
  ],
}

const NUMBERED: typeof LISTS = {
  'files and folders are downloads': [
    '1. [Kit](/g/-/kits/logo.zip)\n2. [Logo](/g/-/files/k/logo.svg)',
    /^<ol class="cards link-cards"><li class="file">.*>1\. Kit<\/a>.*>2\. Logo<\/a>.*<\/ol>$/,
  ],
  'colours are tiles': [
    '4. [Ink](/g/-/colors#color-ink)\n5. [Paper](/g/-/colors#color-paper)',
    /^<ol class="tiles">.*>4\. Ink<\/a>.*>5\. Paper<\/a>.*<\/ol>$/,
  ],
  'colours with percentages are an area': [
    '1. [Ink](/g/-/colors#color-ink) 40 %',
    /^<figure class="proportions">.*>Ink<\/a> 40%/,
  ],
}

for (const [what, [markdown, html]] of Object.entries(NUMBERED))
  test(`in a numbered list, ${what} with numbers`, () => assert.match(render(markdown).html, html))

test('the title of a link is a line in its card for any target', () => {
  for (const [address, line] of [
    ['/g/-/colors#color-ink', '<p class="use">For text</p>'],
    ['/g/-/colors', '<p>For text</p>'],
    ['/g/-/type#type-h1', '<p>For text</p>'],
    ['/g/-/files/k/logo.svg', '<p>For text</p>'],
    ['/g/-/kits/logo.zip', '<p>For text</p>'],
    ['/g/plain', '<p>For text</p>'],
    ['https://x.example/', '<p>For text</p>'],
  ] as const)
    assert.ok(render(`[A](${address} "For text")`).html.includes(line), address)
  assert.match(render('- [Ink](/g/-/colors#color-ink "For text") 40 %').html, /Ink<\/a> 40% – For text<\/li>/)
})

for (const [what, [markdown, html]] of Object.entries(LISTS))
  test(`in a list of only links, ${what}`, () => assert.match(render(markdown).html, html))

const LINKS: readonly string[] = [
  '![A chart](https://x.example/a.png)',
  '<video src="https://x.example/a.mp4"></video>',
  '[Pages](/g/plain) and more',
  '**[Pages](/g/plain)**',
  '# [Pages](/g/plain)',
  '> [Pages](/g/plain)',
  '- [Pages](/g/plain)\n- [Pages](/g/plain)',
  '- [Cover](/g/cover)\n- [Pages](/g/plain)',
  '- [Cover](/g/cover)\n- [Ground](/g/ground)',
  '- [Cover](/g/cover)\n- [Logo](/g/-/files/k/logo.svg)',
  '- [Cover](/g/cover)\n- text',
  '- [Kit](/g/-/kits/logo.zip) for print',
  '- [x] [Kit](/g/-/kits/logo.zip)',
  '1. [Pages](/g/plain)\n2. [Pages](/g/plain)',
  '<ol reversed><li><a href="/g/-/kits/logo.zip">Kit</a></li></ol>',
  '| a |\n| - |\n| [Kit](/g/-/kits/logo.zip) |',
  '<p id="here"><a href="/g/-/kits/logo.zip">Kit</a></p>',
  '[Gone](/g/-/colors#color-gone)',
  '[Write](mailto:a@x.example)',
  '[](/g/plain)',
  '[To a part](#part)',
]

for (const markdown of LINKS)
  test(`links remain links in ${JSON.stringify(markdown)}`, () => {
    const { html, hasTypeSamples } = render(markdown)
    assert.ok(!/class="(?:cards|tiles|proportions)/.test(html), html)
    assert.equal(hasTypeSamples, false)
  })

test('a link with ?stage is the stage of its target; among other text, it opens the page of the stage', () => {
  assert.equal(render('[Logo](/g/-/files/k/logo.svg?stage)').html, '<section>Stage</section>')
  assert.match(render('See [it](/g/-/files/k/logo.svg?stage).').html, /<a href="\/g\/-\/file\/logo\.svg">it<\/a>/)
  assert.match(render('[All](/g/-/colors?stage)').html, /^<div><ul class="tiles">/)
})

test('a colour in a sentence, a cell or an item has a chip before its name, but not in a heading', () => {
  const { html } = render('Use [Ink](/g/-/colors#color-ink) here.\n\n## [Ink](/g/-/colors#color-ink)\n')
  assert.deepEqual(html.match(/<a href="\/g\/-\/colors#color-ink".*?<\/a>/g), [
    '<a href="/g/-/colors#color-ink" class="with-chip"><svg class="chip" viewBox="0 0 1 1" aria-hidden="true"><path d="M0 0h1v1H0z" fill="#14212b"></path></svg>Ink</a>',
    '<a href="/g/-/colors#color-ink">Ink</a>',
  ])
})

test('the first 500 lone links are cards, and the others remain links', () => {
  const { html } = render('[Kit](/g/-/kits/logo.zip)\n\n'.repeat(600))
  assert.equal(html.match(/<li class="file">/g)?.length, 500)
  assert.equal(html.match(/<p><a href="\/g\/-\/kits\/logo.zip">Kit<\/a><\/p>/g)?.length, 100)
})

test('a whole palette has no link above it', () => {
  const colors = [colorTarget('ink', 'Ink', '#14212b')]
  const targets = new Map([['/g/-/colors', { kind: 'palette', colors, count: 1 } as const]])
  for (const markdown of ['[Core](/g/-/colors)', '## Core\n\n[Colours of the base](/g/-/colors "A note")']) {
    const { html } = render(markdown, targets)
    assert.ok(html.includes('<ul class="tiles">') && !html.includes('href="/g/-/colors"'), html)
  }
})

test('the tints of a palette are a ramp below their base', () => {
  const tint = { ...colorTarget('ink-50', 'Ink 50', '#899095'), base: 'Ink <b>' }
  const colors = [colorTarget('ink', 'Ink', '#14212b'), tint, colorTarget('paper', 'Paper', '#faf7f2')]
  const { html } = render('[Core](/g/-/colors)', new Map([['/g/-/colors', { kind: 'palette', colors, count: 3 }]]))
  assert.deepEqual(html.match(/<p class="tile-name">T.*?<\/p>|<ul[^>]*>|(?<=<a href=")[^"]+/g), [
    '<ul class="tiles">',
    '/g/-/colors#color-ink',
    '/g/-/colors#color-paper',
    '<p class="tile-name">Tints of Ink &#x3C;b></p>',
    '<ul class="tiles ramp">',
    '/g/-/colors#color-ink-50',
  ])
})

test('a card escapes all of its content', () => {
  const { html } = render(
    '[<img onerror=x>\\<i>](/g/-/colors#color-paper)\n\n[a](/g/-/colors#color-paper)\n\n- [Paper](/g/-/colors#color-paper) 5%',
  )
  assert.ok(!html.includes('<b>Paper') && !html.includes('onerror='), html)
})
