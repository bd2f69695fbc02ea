import assert from 'node:assert/strict'
import test from 'node:test'
import { publishedPath } from '../../src/contract/draft-path.ts'

for (const [path, published] of [
  ['/acme/guide/-/draft', '/acme/guide'],
  ['/acme/guide/-/draft.md', '/acme/guide.md'],
  ['/acme/guide/-/draft/logo/misuse', '/acme/guide/logo/misuse'],
  ['/acme/guide/-/draft/-/files/key/a.svg', '/acme/guide/-/files/key/a.svg'],
  ['/acme/guide/-/drafts', undefined],
  ['/acme/guide/-/draft.mdx', undefined],
  ['/acme/guide/-/draft.md/x', undefined],
  ['/acme/guide/draft', undefined],
  ['/acme/-/draft', undefined],
  ['/', undefined],
] as const)
  test(`the published path of ${path} is ${published}`, () => {
    assert.equal(publishedPath(path), published)
  })
