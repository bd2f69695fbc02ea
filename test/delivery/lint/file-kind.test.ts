import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kindOf, whyUnread } from '#delivery/lint/file-kind.ts'

test('the name of a file says how it is read, without regard to case', () => {
  const cases = [
    ['web/Site.CSS', 'css'],
    ['a.tokens', 'tokens'],
    ['web/Brand.tokens.json', 'tokens'],
    ['web/tokens.json', 'tokens'],
    ['design-tokens.json', 'json'],
    ['Deck.POTX', 'office'],
    ['a.docx', 'office'],
    ...['pptm', 'ppsx', 'ppsm', 'potm', 'docm', 'dotx', 'dotm'].map(kind => [`a.${kind}`, 'office'] as const),
    ['Flyer.PDF', 'pdf'],
    ['logo.ai', 'pdf'],
    ['site.webmanifest', 'json'],
    ['web/browserconfig.xml', 'html'],
    ['web/sitemap.xml', undefined],
    ['tokens.json/logo.png', undefined],
    ['css', undefined],
  ] as const
  for (const [path, kind] of cases) assert.equal(kindOf(path), kind, path)
})

test('a file that is not read says why, and what to do', () => {
  const why = 'is not of a kind that is read, so it is only compared with old files of the brand'
  const cases = [
    ['deck.odp', `${why}: save it as .pptx`],
    ['letter.DOC', `${why}: save it as .docx`],
    ['a.less', `${why}: name the CSS that it is compiled to`],
    ['flyer.indd', `${why}: name the file that it is made from`],
    ['logo.png', `${why}: leave it out`],
    [
      'a.json',
      'is not read, because it has no typed design tokens and no colours of a web manifest: end its name in .tokens.json, or leave it out',
    ],
  ] as const
  for (const [path, message] of cases) assert.equal(whyUnread(path), message, path)
})
