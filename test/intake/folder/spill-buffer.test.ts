import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import test from 'node:test'
import { openSpillBuffer } from '../../../src/intake/folder/spill-buffer.ts'
import { fc } from '../../support/random.ts'

for (const [sentence, folder] of [
  ['is given back as it was, in any order, whether there is room for it in memory or not', tmpdir()],
  ['stays in memory where there can be no temporary file', '/nowhere'],
] as const)
  test(`a spill buffer ${sentence}`, () => {
    const bytes = fc.uint8Array({ maxLength: 40 })
    fc.assert(
      fc.property(fc.array(bytes, { maxLength: 30 }), fc.integer({ min: 1, max: 100 }), (pieces, room) => {
        using spill = openSpillBuffer(room, folder)
        const places = pieces.map(piece => spill.put(piece))
        for (const [at, place] of [...places.entries()].reverse()) assert.deepEqual(spill.get(place), pieces[at])
        const place = spill.put(new Uint8Array([7]))
        assert.deepEqual(spill.get(place), new Uint8Array([7]))
      }),
    )
  })
