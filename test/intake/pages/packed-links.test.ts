import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { isPageId } from '../../../src/brand/ids.ts'
import type { Link, Target } from '../../../src/brand/page.ts'
import type { Destination } from '../../../src/intake/markdown/markdown.ts'
import { linkPacker, packDestinations, unpackDestinations } from '../../../src/intake/pages/packed-links.ts'

const text = fc.string({ unit: 'binary' })

const destinations: fc.Arbitrary<Destination[]> = fc.array(
  fc
    .tuple(fc.nat(), fc.nat(), text, fc.constantFrom('link', 'picture'), text, fc.nat())
    .map(([start, end, path, kind, alt, line]) => ({ start, end, path, kind, alt, line })),
)

const targets: Target[] = ['a', 'a/b', 'files/a'].flatMap(name => [
  { file: name },
  ...(isPageId(name) ? [{ page: name }] : []),
])

const links: fc.Arbitrary<Link[]> = fc.array(
  fc.tuple(fc.nat(), fc.nat(), fc.constantFrom(...targets)).map(([start, end, to]) => ({ start, end, to })),
)

test('destinations are packed into one line, and are the same after unpacking', () => {
  fc.assert(
    fc.property(destinations, written => {
      const line = packDestinations(written)
      assert.ok(!line.includes('\n'))
      assert.deepEqual(unpackDestinations(line), written)
    }),
  )
})

test('packed links have the same targets after unpacking, also pages and files of one name', () => {
  fc.assert(
    fc.property(fc.array(links), pages => {
      const { pack, unpack } = linkPacker()
      assert.deepEqual(pages.map(pack).map(unpack), pages)
    }),
  )
})
