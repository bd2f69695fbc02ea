import process from 'node:process'
import { failed, ok, type Result } from '../base/result.ts'
import { type FontFacts, fontFacts } from './font-facts.ts'
import { openFont } from './open-font.ts'
import { shapedFacts } from './shaped-facts.ts'
import { unpackFont } from './unpack-font.ts'

/** The messages to the process: the bytes of a font piece by piece, then the end, with the name of its family. */
export type FontPiece = { bytes: Uint8Array } | { end: true; family: string }

/** The facts of a font, or the reason why it cannot be read. */
export type FontAnswer = Result<FontFacts, string>

// The program of a child process, which ends when its parent disconnects.
let pieces: Uint8Array[] = []
process.on('message', async (piece: FontPiece) => {
  if ('bytes' in piece) return void pieces.push(piece.bytes)
  const bytes = Buffer.concat(pieces)
  pieces = []
  process.send?.(await answer(bytes, piece.family))
})

async function answer(bytes: Buffer, family: string): Promise<FontAnswer> {
  try {
    const unpacked = await unpackFont(bytes)
    if (!unpacked.ok) return unpacked
    const font = await openFont(unpacked.value)
    return font.ok ? ok(await shapedFacts(fontFacts(font.value), unpacked.value, family)) : font
  } catch {
    return failed('it is damaged') // The parser's messages about damaged bytes do not help users.
  }
}
