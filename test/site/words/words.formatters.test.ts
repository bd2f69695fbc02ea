import assert from 'node:assert/strict'
import test from 'node:test'
import { formattersFor } from '#site/words/words.ts'

test('a size is shown in the units that people use, with two digits if one would be coarse', () => {
  const { bytes } = formattersFor('en-GB')
  const sizes = [0, 1, 999, 1000, 9949, 9950, 999_499, 999_500, 1_000_000_000, 1e16]
  const seen = sizes.map(size => bytes(size).replace('\u00a0', ' '))
  assert.deepEqual(seen, [
    '0 bytes',
    '1 byte',
    '999 bytes',
    '1.0 kB',
    '9.9 kB',
    '10 kB',
    '999 kB',
    '1.0 MB',
    '1.0 GB',
    '10,000 TB',
  ])
})

test('numbers, sizes and days are written as in the language and its region', () => {
  const day = new Date('2026-03-07T23:30:00Z')
  const written = ['en-GB', 'en-US', 'de', 'de-CH', 'fr', 'ja'].map(locale => {
    const { number, bytes, day: dayOf } = formattersFor(locale)
    return [number(12_345), number(4.5, 2), bytes(512), bytes(1500), dayOf(day)].map(text =>
      text.replace(/\s/g, ' ').replace('’', "'"),
    )
  })
  assert.deepEqual(written, [
    ['12,345', '4.50', '512 bytes', '1.5 kB', '7 March 2026'],
    ['12,345', '4.50', '512 bytes', '1.5 kB', 'March 7, 2026'],
    ['12.345', '4,50', '512 Byte', '1,5 kB', '7. März 2026'],
    ["12'345", '4.50', '512 Byte', '1.5 kB', '7. März 2026'],
    ['12 345', '4,50', '512 octets', '1,5 ko', '7 mars 2026'],
    ['12,345', '4.50', '512 バイト', '1.5 KB', '2026年3月7日'],
  ])
})

test('a list has the comma of its language, and values on a page from right to left keep their direction', () => {
  const lists = ['en', 'ja', 'ar'].map(lang => formattersFor(lang).list(['ZIP', '', undefined, '72\u00a0px']))
  assert.deepEqual(lists, ['ZIP, 72\u00a0px', 'ZIP、72\u00a0px', '\u200f\u2068ZIP\u2069، \u206872\u00a0px\u2069'])
  assert.equal(formattersFor('ar').list([]), '')
  assert.equal(formattersFor('ar').bytes(18_000), '\u206818\u00a0كيلوبايت\u2069')
})

test('a time before now is in whole minutes or hours, at least one minute', () => {
  const { ago } = formattersFor('en-GB')
  const times = [-5000, 119_000, 3_599_999, 3_600_000, 7_199_999, 172_800_000].map(ago)
  assert.deepEqual(times, ['1 minute ago', '1 minute ago', '59 minutes ago', '1 hour ago', '1 hour ago', '2 days ago'])
  const seen = ['de', 'ja', 'ar'].map(lang => formattersFor(lang).ago(10_800_000))
  assert.deepEqual(seen, ['vor 3 Stunden', '3 時間前', 'قبل 3 ساعات'])
  assert.deepEqual([-120_000, -10_800_000, -345_600_000].map(formattersFor('de').ago), [
    'in 2 Minuten',
    'in 3 Stunden',
    'in 4 Tagen',
  ])
})
