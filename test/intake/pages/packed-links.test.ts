import assert from 'node:assert/strict'
import test from 'node:test'
import { isPageId, isStyleId } from '../../../src/brand/ids.ts'
import type { Link, Target } from '../../../src/brand/page.ts'
import type { Destination } from '../../../src/intake/markdown/markdown.ts'
import { linkPacker, packDestinations, unpackDestinations } from '../../../src/intake/pages/packed-links.ts'
import { codePoint, fc } from '../../support/random.ts'

const text = fc.string({ unit: codePoint })

const place = fc.tuple(text, fc.nat()).map(([fragment, end]) => ({ fragment, end }))
const places = fc.option(place, { nil: undefined })

const destinations: fc.Arbitrary<Destination[]> = fc.array(
  fc
    .tuple(fc.nat(), fc.nat(), text, fc.constantFrom('link', 'picture'), text, fc.nat(), places)
    .map(([start, end, path, kind, alt, line, place]) => ({
      start,
      end,
      path,
      kind,
      alt,
      line,
      ...(place && { place }),
    })),
)

const targets: Target[] = [
  ...['a', 'a/b', 'files/a'].flatMap(name => [
    { file: name },
    { folder: name },
    ...(isPageId(name) ? [{ page: name }] : []),
  ]),
  { list: 'colors' },
  { list: 'types' },
  ...['a', 'b'].flatMap(id => [
    { list: 'colors' as const, group: id },
    ...(isStyleId(id)
      ? [
          { list: 'colors' as const, id },
          { list: 'types' as const, id },
        ]
      : []),
  ]),
]

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

test('packed links have the same targets after unpacking, even with equal names of different kinds', () => {
  fc.assert(
    fc.property(fc.array(links), pages => {
      const { pack, unpack } = linkPacker()
      assert.deepEqual(pages.map(pack).map(unpack), pages)
    }),
  )
})
