import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonLine, printJson } from '../../../src/cli/output/json.ts'
import { fc } from '../../support/random.ts'

/** The printed pieces of a value. */
function printedPieces(value: unknown): string[] {
  const pieces: string[] = []
  const io = {
    out: (text: string) => void pieces.push(text),
    outBytes: async () => undefined,
    err: () => undefined,
    hasColor: { out: false, err: false },
    nodeVersion: process.versions.node,
    isTerminal: false,
    columns: 80,
    environment: {},
    folder: '/',
    signal: new AbortController().signal,
  }
  printJson(io, value)
  return pieces
}

test('a result is printed as JSON with an indentation of two spaces', () => {
  const values = fc.letrec<{ value: unknown }>(tie => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<unknown>(null, undefined, true, 1.5, 'a\nb', '"', [], {}, new Date(0)),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom('a', 'b c', '1', '"'), tie('value'), { noNullPrototype: true }),
    ),
  })).value
  fc.assert(
    fc.property(values, value => {
      assert.equal(printedPieces(value).join(''), `${JSON.stringify(value, null, 2) ?? 'null'}\n`)
    }),
  )
})

test('a long result is printed in pieces and is never entirely in memory', () => {
  const findings = Array.from({ length: 10_000 }, (_, line) => ({
    rule: 'link-broken',
    line,
    message: 'x'.repeat(100),
  }))
  const pieces = printedPieces({ workspace: 'acme', findings })
  assert.ok(Math.max(...pieces.map(piece => piece.length)) < 70_000)
  assert.deepEqual(JSON.parse(pieces.join('')), { workspace: 'acme', findings })
})

test('characters that control a terminal or the direction of text are escaped, and no others', () => {
  for (let code = 0x20; code < 0x1_0000; code++) {
    const text = String.fromCharCode(code)
    const isEscaped = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}"\\]/u.test(text)
    const line = jsonLine(text)
    assert.equal(line === `"${text}"`, !isEscaped, line)
    assert.equal(JSON.parse(line), text)
  }
})
