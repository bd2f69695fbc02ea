import process from 'node:process'
import { failed, ok, type Result } from '../base/result.ts'
import { type FontFacts, fontFacts } from './font-facts.ts'
import { openFont } from './open-font.ts'
import { type Subset, subsetFont } from './subset-font.ts'
import { isDecoderCrash } from './unpack-font.ts'

/** The messages to the process: the bytes of a font piece by piece, then the end, with a subset to make if any. */
export type FontPiece = { bytes: Uint8Array } | { end: true; subset?: Subset }

/** The facts or the subset of a font, or the reason why it cannot be read. */
export type FontAnswer = Result<{ facts: FontFacts } | { subset: Uint8Array }, string>

// The program of a child process, which ends when its parent disconnects.
let pieces: Uint8Array[] = []
process.on('message', async (piece: FontPiece) => {
  if ('bytes' in piece) return void pieces.push(piece.bytes)
  const bytes = Buffer.concat(pieces)
  pieces = []
  process.send?.(await answer(bytes, piece.subset))
})

async function answer(bytes: Buffer, subset: Subset | undefined): Promise<FontAnswer> {
  try {
    if (subset) {
      const made = await subsetFont(bytes, subset)
      return made.ok ? ok({ subset: made.value }) : made
    }
    const font = await openFont(bytes)
    return font.ok ? ok({ facts: fontFacts(font.value) }) : font
  } catch (error) {
    if (subset && isDecoderCrash(error)) process.exit(134) // Its memory is unusable; the pool treats this as out of memory.
    return failed('it is damaged') // The parser's messages about damaged bytes do not help users.
  }
}
