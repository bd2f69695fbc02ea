import assert from 'node:assert/strict'

/** Reads the CSS string at the start of the input (CSS Syntax 3 §4.3.5): its value, and the rest of the input. */
export function readCssString(css: string): [value: string, rest: string] {
  assert.equal(css[0], '"')
  const value: string[] = []
  for (let at = 1; at < css.length; at++) {
    const character = css.charAt(at)
    if (character === '"') return [value.join(''), css.slice(at + 1)]
    assert.doesNotMatch(character, /[\n\r\f\0]/)
    if (character !== '\\') {
      value.push(character)
      continue
    }
    const hex = /^([0-9a-f]{1,6})\s?/i.exec(css.slice(at + 1))
    value.push(hex?.[1] === undefined ? css.charAt(at + 1) : String.fromCodePoint(Number.parseInt(hex[1], 16)))
    at += hex ? hex[0].length : 1
  }
  assert.fail('the string does not end')
}
