import type { Problem } from '#brand/finding.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { normalText } from '#platform/base/text.ts'

/** Decodes UTF-8. The problem names the line of the first wrong byte. */
export function readUtf8(bytes: Uint8Array): Result<string, Problem> {
  const text = decode(bytes)
  const bad = firstBadByte(bytes, text)
  if (bad === -1) return ok(text)
  const line = normalText(decode(bytes.subarray(0, bad))).split('\n').length
  const byte = Buffer.from(bytes.subarray(bad, bad + 1))
    .toString('hex')
    .toUpperCase()
  return failed({ rule: 'not-utf8', line, message: `the byte 0x${byte} is not UTF-8; save the file as UTF-8` })
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

/** The first U+FFFD that is not encoded in the bytes marks the position of an invalid byte. */
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
