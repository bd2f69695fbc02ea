import assert from 'node:assert/strict'
import test from 'node:test'
import { parseHex, parseRgb, rgbText } from '#brand/styles/screen-color.ts'
import { hexText } from '#formats/css/hex.ts'
import { failed, ok } from '#platform/base/result.ts'
import { codePoint, fc, forAll } from '../../support/random.ts'

const blue = ok([29, 112, 184])

test('a hex colour may be written in each usual form, and keeps its leading zeros', () => {
  for (const text of ['#1d70b8', '1d70b8', '#1D70B8', '1D70b8', ' #1d70b8 '])
    assert.deepEqual(parseHex(text), blue, text)
  for (const text of ['#abc', 'abc', 'ABC', 'aabbcc']) assert.deepEqual(parseHex(text), ok([170, 187, 204]), text)
  assert.deepEqual([parseHex('000000'), parseHex('001')], [ok([0, 0, 0]), ok([0, 0, 17])])
})

test('any other text is not a hex colour', () => {
  for (const text of ['', '#', '#1234', '#1d70b8ff', '0x1d70b8', '#gggggg', '#1d 70b8', 'ａｂｃ', 'blue'])
    assert.deepEqual(
      parseHex(text),
      failed(`is "${text}"; write # and three or six hex digits in quotes, as in "#1d70b8"`),
    )
})

const WRITTEN =
  '29,112,184|29, 112, 184|29 112 184| 29 ,112\t,\t184 |029,112,184|29/112/184|29;112;184|R29 G112 B184|' +
  'r: 29, g: 112, b: 184|rgb(29 112 184)|RGB 29/112/184|rgb(11.4% 43.9% 72.2%)|11.4 %, 43.9 %, 72.2 %'

test('an rgb colour may be written in each usual form', () => {
  for (const text of WRITTEN.split('|')) assert.deepEqual(parseRgb(text), blue, text)
})

test('an rgb colour may be a list', () => assert.deepEqual(parseRgb(['29', '112', '184']), blue))

const form = 'write three whole numbers, 0 to 255, as in "29,112,184"'
const refused: [written: string | string[], reason: string][] = [
  ['', `has no numbers; ${form}`],
  ['29', `has one number; ${form}`],
  [['29', '112'], `has two numbers; ${form}`],
  ['1,2,3,4', `has four numbers; ${form}`],
  ['1 2 3 4 5 6 7', `has 7 numbers; ${form}`],
  ['29,112,256', `is "29,112,256"; ${form}`],
  ['-1,2,3', `is "-1,2,3"; ${form}`],
  ['1.0,2,3', `is "1.0,2,3"; ${form}`],
  ['1,,3', `is "1,,3"; ${form}`],
  ['1,2,3,', `is "1,2,3,"; ${form}`],
  ['rgba(1,2,3,1)', `is "rgba(1,2,3,1)"; ${form}`],
  ['B1 G2 R3', `is "B1 G2 R3"; ${form}`],
  ['10%,20,30%', `is "10%,20,30%"; ${form}`],
  ['101%,20%,30%', `is "101%,20%,30%"; ${form}`],
  [['0x10', '2', '3'], `is "0x10,2,3"; ${form}`],
  [['1 2', '3'], `is "1 2,3"; ${form}`],
]
for (const [written, reason] of refused)
  test(`an rgb colour is not ${JSON.stringify(written)}`, () => assert.deepEqual(parseRgb(written), failed(reason)))

const channel = fc.integer({ min: 0, max: 255 })
test('hex and rgb convert into each other without loss', () =>
  forAll([fc.tuple(channel, channel, channel)], rgb => {
    assert.deepEqual(parseHex(hexText(rgb)), ok(rgb))
    assert.deepEqual(parseRgb(rgbText(rgb)), ok(rgb))
    assert.match(hexText(rgb), /^#[0-9a-f]{6}$/)
  }))

test('parsing hex and rgb never throws', () =>
  forAll([fc.string({ unit: codePoint })], text => {
    for (const parsed of [parseHex(text), parseRgb(text)]) assert.equal(parsed.ok || parsed.problem !== '', true)
  }))
