import assert from 'node:assert/strict'
import test from 'node:test'
import { isStyleId, type StyleId } from '#brand/ids.ts'
import { element } from '#site/cards/element.ts'
import type { ColorTarget, LinkTarget } from '#site/cards/link-target.ts'
import { renderMarkdown } from '#site/markdown/markdown.ts'
import { golden } from '../../../support/golden.ts'

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

golden('markdown/link-cards', ({ markdown }: { markdown: string }) => {
  const { html, hasTypeSamples } = render(markdown)
  return hasTypeSamples ? { withTypeSamples: html } : html
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
