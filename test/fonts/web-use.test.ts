import assert from 'node:assert/strict'
import test from 'node:test'
import { webObstacle } from '../../src/fonts/web-use.ts'

test('a font may not be used on the web if its embedding rights or its licence forbid it', () => {
  const open = { rights: 'installable', maySubset: true, onlyBitmaps: false } as const
  const cases: [Parameters<typeof webObstacle>[0], RegExp | undefined][] = [
    [{}, undefined],
    [{ embedding: open }, undefined],
    [{ embedding: { ...open, rights: 'restricted' } }, /forbid embedding/],
    [{ embedding: { ...open, onlyBitmaps: true } }, /only bitmaps/],
    [{ embedding: { ...open, rights: 'preview' } }, undefined],
    [
      { license: 'You may print. Use on a website requires a separate licence.' },
      /"Use on a website requires a separate/,
    ],
    [{ license: 'This font may not be embedded with @font-face.' }, /may not be embedded/],
    [{ license: 'SIL Open Font License, Version 1.1. This license is at https://openfontlicense.org' }, undefined],
    [{ license: 'Licensed for desktop, web and apps. It may not be sold by itself.' }, undefined],
  ]
  for (const [facts, expected] of cases)
    if (expected) assert.match(webObstacle(facts) ?? '', expected)
    else assert.equal(webObstacle(facts), undefined, JSON.stringify(facts))
})
