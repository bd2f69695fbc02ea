import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { openAside } from '../../src/intake/aside.ts'

describe('what is put aside', () => {
  for (const [sentence, folder] of [
    ['is given back as it was, in any order, whether there is room for it in memory or not', tmpdir()],
    ['stays in memory where there can be no temporary file', '/nowhere'],
  ] as const)
    it(sentence, () => {
      const bytes = fc.uint8Array({ maxLength: 40 })
      fc.assert(
        fc.property(fc.array(bytes, { maxLength: 30 }), fc.integer({ min: 1, max: 100 }), (pieces, room) => {
          using aside = openAside(room, folder)
          const places = pieces.map(piece => aside.put(piece))
          for (const [at, place] of [...places.entries()].reverse()) assert.deepEqual(aside.get(place), pieces[at])
          const place = aside.put(new Uint8Array([7]))
          assert.deepEqual(aside.get(place), new Uint8Array([7]))
        }),
      )
    })
})
