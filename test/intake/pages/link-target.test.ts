import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPageId, isStyleId, type PageId, type StyleId } from '#brand/ids.ts'
import { linkTarget, siteMap } from '#intake/pages/link-target.ts'

function page(id: string): PageId {
  assert.ok(isPageId(id))
  return id
}

function style(id: string): StyleId {
  assert.ok(isStyleId(id))
  return id
}

const map = siteMap(
  [
    { source: 'pages/index.md', id: page('index') },
    { source: 'pages/logo.md', id: page('logo') },
    { source: 'pages/logo/misuse.md', id: page('logo/misuse') },
    { source: 'pages/type/index.md', id: page('type') },
    { source: 'pages/Our Voice.md', id: page('our-voice') },
    { source: 'pages/drafts/brand-mark.md', id: page('mark') },
    { source: 'pages/Farbe\u0308.md', id: page('farbe') },
    { source: 'pages/both.md', id: page('both') },
  ],
  [
    'files/img/x.png',
    'files/img/mu\u0308de/a/b.png',
    'pages/logo/clear.svg',
    'pages/types.yaml',
    'files/gru\u0308n.png',
    'pages/both',
    'LICENSE',
  ],
  new Map([
    [
      'styles/colors.yaml',
      {
        list: 'colors',
        ids: new Map(['ink', '\ud55c', 'both'].map(id => [id, style(id)])),
        groups: new Set(['brand', 'both']),
      },
    ],
    ['styles/types.yaml', { list: 'types', ids: new Map([['heading-1', style('heading-1')]]), groups: new Set() }],
  ]),
)

/** The page that links, the paths that it may write, and the target of them all. */
const CASES: Readonly<Record<string, [from: string, paths: string, target: ReturnType<typeof linkTarget>]>> = {
  'a page is found under its source path, with and without .md, / and /index.md': [
    'pages/index.md',
    'logo.md | logo | logo/ | logo/index.md | ./logo | type/../logo | /logo | /logo.md | ../pages/logo.md | /x/../logo/.',
    { page: page('logo') },
  ],
  'a page in the index.md of a folder is found in the same ways': [
    'pages/logo/misuse.md',
    '../type | ../type.md | ../type/ | ../type/index.md | /type',
    { page: page('type') },
  ],
  'the folder pages/ is the home page': [
    'pages/index.md',
    '/ | ./ | . | index | index.md | ../pages | ../pages/ | /index.md | logo/..',
    { page: page('index') },
  ],
  'a path is relative to the folder of the page': [
    'pages/logo.md',
    'logo/misuse.md | /logo/misuse',
    { page: page('logo/misuse') },
  ],
  'a sibling is found': ['pages/logo/index.md', 'misuse | misuse.md', { page: page('logo/misuse') }],
  'a parent is found': ['pages/logo/misuse.md', '../logo | ../logo.md | ../logo/', { page: page('logo') }],
  'a name that is not a slug is found as written and by its id': [
    'pages/index.md',
    'Our Voice.md | Our Voice | our-voice | /our-voice/',
    { page: page('our-voice') },
  ],
  'a pinned id is a path under pages/': [
    'pages/logo/misuse.md',
    '../mark | /mark | /mark/ | ../drafts/brand-mark.md',
    { page: page('mark') },
  ],
  'names are compared in NFC': ['pages/index.md', 'Farb\u00eb | Farbe\u0308.md', { page: page('farbe') }],
  'a file is found by its exact path': [
    'pages/logo/misuse.md',
    '../../files/img/x.png | /../files/img//x.png',
    { file: 'files/img/x.png' },
  ],
  'a file next to a page is found': [
    'pages/logo.md',
    'logo/clear.svg | /logo/clear.svg',
    { file: 'pages/logo/clear.svg' },
  ],
  'a target file has the spelling of the project': [
    'pages/index.md',
    '../files/gr\u00fcn.png',
    { file: 'files/gru\u0308n.png' },
  ],
  'a file wins over a page': ['pages/index.md', 'both', { file: 'pages/both' }],
  'the page next to such a file is found by its source': ['pages/index.md', 'both.md | both/', { page: page('both') }],
  'a folder in files/ is found, with and without a slash': [
    'pages/index.md',
    '../files/img | ../files/img/ | ./../files//img/ | ../files/img/x.png/.. | ../files/img/.',
    { folder: 'files/img' },
  ],
  'files/ itself is found': ['pages/logo/misuse.md', '../../files | ../../files/ | /../files/', { folder: 'files' }],
  'a nested target folder has the spelling of the project': [
    'pages/index.md',
    '../files/img/m\u00fcde | ../files/img/m\u00fcde/',
    { folder: 'files/img/mu\u0308de' },
  ],
  'a file wins over a list of its path': ['pages/index.md', 'types.yaml', { file: 'pages/types.yaml' }],
  'a list of styles is found': ['pages/logo/misuse.md', '../../styles/types.yaml', { list: 'types' }],
  'nothing else is a target': [
    'pages/index.md',
    'Logo | logo/x | x.png | ../files/img/x.png/ | ../file | ../pages/img/ | ../styles | ../styles/ | ../styles/colors.yaml/ | ../styles/colours.yaml | /styles/colors.yaml | /files/img/x.png | logo/clear.svg/ | ../logo | misuse',
    undefined,
  ],
  'a path out of the project has no target': [
    'pages/index.md',
    '../.. | ../../LICENSE | ../../pages/logo.md | /../../x',
    undefined,
  ],
}

for (const [sentence, [from, paths, target]] of Object.entries(CASES)) {
  for (const path of paths.split(' | '))
    test(`${sentence}: ${path}`, () => assert.deepEqual(linkTarget(path, from, map), target))
}
