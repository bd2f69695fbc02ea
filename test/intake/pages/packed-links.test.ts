import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
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

describe('packed links', () => {
  it('are one line, and the same destinations again', () => {
    fc.assert(
      fc.property(destinations, written => {
        const line = packDestinations(written)
        assert.ok(!line.includes('\n'))
        assert.deepEqual(unpackDestinations(line), written)
      }),
    )
  })

  it('lead where they led, page by page, to pages and to files of the same name', () => {
    fc.assert(
      fc.property(fc.array(links), pages => {
        const { pack, unpack } = linkPacker()
        assert.deepEqual(pages.map(pack).map(unpack), pages)
      }),
    )
  })
})
