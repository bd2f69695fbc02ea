import process from 'node:process'
import { type FontFacts, fontFacts } from '#formats/font/font-facts.ts'
import { openFont } from '#formats/font/open-font.ts'
import { shapedFacts } from '#formats/font/shaped-facts.ts'
import { type Subset, subsetFont } from '#formats/font/subset-font.ts'
import { isDecoderCrash, unpackFont } from '#formats/font/unpack-font.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'

/** The messages to the process: the bytes of a font piece by piece, then its family to read its facts, or a subset to make. */
export type FontPiece = { bytes: Uint8Array } | { family: string } | { subset: Subset }

/** The facts or the subset of a font, or the reason why it cannot be read. */
export type FontAnswer = Result<{ facts: FontFacts } | { subset: Uint8Array }, string>

// The program of a child process, which ends when its parent disconnects.
let pieces: Uint8Array[] = []
process.on('message', async (piece: FontPiece) => {
  if ('bytes' in piece) return void pieces.push(piece.bytes)
  const bytes = Buffer.concat(pieces)
  pieces = []
  process.send?.(await answer(bytes, piece))
})

async function answer(bytes: Buffer, task: { family: string } | { subset: Subset }): Promise<FontAnswer> {
  const isSubset = 'subset' in task
  try {
    if (isSubset) {
      const made = await subsetFont(bytes, task.subset)
      return made.ok ? ok({ subset: made.value }) : made
    }
    const unpacked = await unpackFont(bytes)
    if (!unpacked.ok) return unpacked
    const font = await openFont(unpacked.value)
    return font.ok ? ok({ facts: await shapedFacts(fontFacts(font.value), unpacked.value, task.family) }) : font
  } catch (error) {
    if (isSubset && isDecoderCrash(error)) process.exit(134) // Its memory is unusable; the pool treats this as out of memory.
    return failed('it is damaged') // The parser's messages about damaged bytes do not help users.
  }
}
