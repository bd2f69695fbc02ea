import assert from 'node:assert/strict'
import test from 'node:test'
import { readMenus } from '#adopt/site/menu-files.ts'
import { sourceEntry } from '../source-entry.ts'
import { sourcePage } from './source-page.ts'

const ROOT = { root: '_pages', roots: ['_pages'] }
const PATHS = ['_pages/logo.md', '_pages/type.md', '_pages/use/paper.md', 'home.md']
const MENUS: Readonly<Record<string, string>> = {
  '_layouts/default.html': `<a href="{{ site.baseurl }}/type.html" class="a">Letters</a> <a href="/use/paper/">On
    paper</a> <link href="style.css"> <Link to="/logo"><img></Link>`,
  '_data/menu.yml':
    '- { title: Letters, href: /type }\n- { title: Use, subpages: [{ title: On paper, href: /use/paper }] }\n- { title: Logo, href: /logo/ }\n',
  'lib/menu.ts': `export const MENU: Item[] = [{ slug: 'type', title: 'Letters' },
    { group: 'Use', slug: 'use', pages: [{ title: 'On paper', slug: 'paper' }] }, { slug: 'logo', title: 'Logo' }]`,
}

for (const [file, text] of Object.entries(MENUS))
  test(`the menu of a source is the file that names most of its pages: ${file}`, async () => {
    const entries = [sourceEntry('package.json', '{ "main": "./home.js" }'), sourceEntry(file, text)]
    const pages = PATHS.map(path => sourcePage(path, {}, ROOT))
    const { order, labels } = (await readMenus(entries, pages)).get('') ?? {}
    const ordered = [...(order?.keys() ?? [])].filter(path => path.endsWith('.md'))
    assert.deepEqual(ordered, ['_pages/type.md', '_pages/use/paper.md', '_pages/logo.md'])
    assert.equal(labels?.get('_pages/type.md'), 'Letters')
    assert.equal((await readMenus(entries.slice(0, 1), pages)).size, 0)
  })
