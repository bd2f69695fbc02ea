import type { Problem } from '#brand/finding.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { normalText } from '#platform/base/text.ts'

/** Decodes UTF-8. The problem names the line of the first wrong byte. */
export function readUtf8(bytes: Uint8Array): Result<string, Problem> {
  const text = decode(bytes)
  const badAt = firstBadByte(bytes, text)
  if (badAt === -1) return ok(text)
  const line = normalText(decode(bytes.subarray(0, badAt))).split('\n').length
  const byte = Buffer.from(bytes.subarray(badAt, badAt + 1))
    .toString('hex')
    .toUpperCase()
  return failed({ rule: 'not-utf8', line, message: `the byte 0x${byte} is not UTF-8; save the file as UTF-8` })
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

/**
 * The offset of the first invalid byte; -1 if there is none. The decoder writes U+FFFD for invalid bytes, so this is the
 * first U+FFFD in the text that is not itself encoded in the bytes.
 */
function firstBadByte(bytes: Uint8Array, text: string): number {
  let at = 0
  for (const part of text.split('\uFFFD').slice(0, -1)) {
    at += Buffer.byteLength(part)
    if (!REPLACEMENT.equals(bytes.subarray(at, at + REPLACEMENT.length))) return at
    at += REPLACEMENT.length
  }
  return -1
}

/** U+FFFD. */
const REPLACEMENT = Buffer.from('\uFFFD')
