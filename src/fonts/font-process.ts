import process from 'node:process'
import { failed, ok, type Result } from '../base/result.ts'
import { type FontFacts, fontFacts } from './font-facts.ts'
import { openFont } from './open-font.ts'

/** The messages to the process: the bytes of a font piece by piece, then the end. */
export type FontPiece = { bytes: Uint8Array } | { end: true }

/** The facts of a font, or the reason why it cannot be read. */
export type FontAnswer = Result<FontFacts, string>

// The program of a child process, which ends when its parent disconnects.
let pieces: Uint8Array[] = []
process.on('message', async (piece: FontPiece) => {
  if ('bytes' in piece) return void pieces.push(piece.bytes)
  const bytes = Buffer.concat(pieces)
  pieces = []
  process.send?.(await answer(bytes))
})

async function answer(bytes: Buffer): Promise<FontAnswer> {
  try {
    const font = await openFont(bytes)
    return font.ok ? ok(fontFacts(font.value)) : font
  } catch {
    return failed('it is damaged') // The parser's messages about damaged bytes do not help users.
  }
}
