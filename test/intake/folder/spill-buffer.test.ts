import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import test from 'node:test'
import { openSpillBuffer } from '../../../src/intake/folder/spill-buffer.ts'
import { fc } from '../../support/random.ts'

for (const [behavior, folder] of [
  ['returns bytes unchanged in any order, whether or not they fit in memory', tmpdir()],
  ['keeps bytes in memory if it cannot make a temporary file', '/nowhere'],
] as const)
  test(`a spill buffer ${behavior}`, () => {
    const bytes = fc.uint8Array({ maxLength: 40 })
    fc.assert(
      fc.property(fc.array(bytes, { maxLength: 30 }), fc.integer({ min: 1, max: 100 }), (pieces, memoryBytes) => {
        using spill = openSpillBuffer(memoryBytes, folder)
        const spans = pieces.map(piece => spill.put(piece))
        for (const [at, span] of [...spans.entries()].reverse()) assert.deepEqual(spill.get(span), pieces[at])
        const span = spill.put(new Uint8Array([7]))
        assert.deepEqual(spill.get(span), new Uint8Array([7]))
      }),
    )
  })
