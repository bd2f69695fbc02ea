import assert from 'node:assert/strict'
import test from 'node:test'
import { rewriteText } from '../../src/static/text-references.ts'

test('absolute addresses are rewritten in Markdown and JSON, except dead and foreign ones', async () => {
  const known = new Map([
    ['http://x.test/a/b', 'index.html'],
    ['http://x.test/a/b/c%28d%29.md', 'c.md'],
  ])
  assert.equal(
    await rewriteText(
      'See http://x.test/a/b. [c](http://x.test/a/b/c%28d%29.md "C") "http://x.test/none" http://x.tester/a/b',
      'http://x.test',
      async address => known.get(address),
    ),
    'See index.html. [c](c.md "C") "http://x.test/none" http://x.tester/a/b',
  )
})
