import assert from 'node:assert/strict'
import test from 'node:test'
import { withShownOrder } from '#adopt/site/shown-order.ts'
import { sourcePage } from './source-page.ts'

test('without an order in settings, pages have that of the navigation of HTML, else that of the links of the README', () => {
  const [first, ...others] = [sourcePage('index.html'), sourcePage('a.html'), sourcePage('b/index.html')]
  assert.ok(first)
  const nav = [
    { label: 'Bee', address: 'b/' },
    { label: 'Away', address: 'https://acme.example' },
    { label: 'Ay', address: '/a.html#top' },
  ]
  const home = { ...first, page: { ...first.page, head: { logos: [], icons: [], nav } } }
  const [shown] = withShownOrder([home, ...others])
  assert.deepEqual(
    [...(shown?.facts.labels ?? [])],
    [
      ['b', 'Bee'],
      ['a.html', 'Ay'],
    ],
  )
  const text = '# Brand\n\n- [Type](type/README.md)\n- [Logo](logo.md)\n'
  const linked = [sourcePage('README.md', {}, {}, { text }), sourcePage('logo.md'), sourcePage('type/README.md')]
  assert.deepEqual([...(withShownOrder(linked)[0]?.facts.order.keys() ?? [])], ['type/README.md', 'logo.md'])
  const numbered = [...linked, sourcePage('1-a.md'), sourcePage('2-b.md')]
  assert.equal(withShownOrder(numbered)[0]?.facts.order.size, 0)
})

test('menus of other pages order the pages that the menu of the home page leaves out, also at whole addresses', () => {
  const linkTo = (address: string) => ({ label: address, address })
  const withMenu = (path: string, ...addresses: string[]) => {
    const own = sourcePage(path)
    return { ...own, page: { ...own.page, head: { logos: [], icons: [], nav: addresses.map(linkTo) } } }
  }
  const pages = [
    withMenu('guide/index.html', '/guide/logo', '/guide/type'),
    withMenu('guide/type.html', '/guide/logo', '/guide/type', '/guide/type/sizes', '/guide/type/fonts'),
    ...['guide/logo.html', 'guide/type/fonts.html', 'guide/type/sizes.html'].map(path => sourcePage(path)),
  ]
  assert.deepEqual(
    [...(withShownOrder(pages)[0]?.facts.order.keys() ?? [])],
    ['guide/logo.html', 'guide/type.html', 'guide/type/sizes.html', 'guide/type/fonts.html'],
  )
})
