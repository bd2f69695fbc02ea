import assert from 'node:assert/strict'
import test from 'node:test'
import { sizeRange } from '#delivery/export/style-sheets/css-text.ts'
import { problemsOf } from './judged.ts'

const BRAND = {
  types: [
    { id: 'hero', families: ['Acme Serif'], size: 64, leading: 1.1, weight: 700, responsive: true, guide: 'type' },
    { id: 'body', families: ['Acme Sans', 'Arial'], size: 16, leading: 1.5, weight: 400, responsive: false },
    { id: 'strong', families: ['Acme Sans', 'Arial'], size: 16, leading: 1.5, weight: 600, responsive: false },
    { id: 'note', families: ['Acme Sans', 'Arial'], size: 13, responsive: false },
  ],
}

for (const [title, use] of [
  ['a size, weight and leading of a style', { size: 16, weight: 400, leading: 1.5 }],
  ['a size with the error of rounding', { size: 16.04 }],
  ['a size that is far from all', { size: 20 }],
  ['a size just above a tenth', { size: 17.7 }],
  ['a weight of another style of the size', { size: 16, weight: 600 }],
  ['a weight that is far from all', { size: 16, weight: 800 }],
  ['a weight and a leading of a size without styles', { size: 20, weight: 650, leading: 1.45 }],
  ['a weight and a leading of a size whose style has none', { size: 13, weight: 410, leading: 1.45 }],
  ['the smallest size of a responsive style', { size: 37 }],
  ['a size between those of a responsive style', { size: 50 }],
  ['a size near a style of another family', { family: 'Acme Serif', size: 15 }],
  ['a weight and a leading without a size', { weight: 640, leading: 1.45 }],
] as const)
  test(`the type is right: ${title}`, () => {
    assert.deepEqual(problemsOf({ kind: 'type', ...use }, BRAND), [])
  })

const near = (noun: string, found: string, write: string, nearest: string) => ({
  rule: 'type-near',
  found,
  nearest,
  write,
  message: `the ${noun} ${found} is almost ${write} of the type style "${nearest}": write ${write}`,
})

for (const [title, use, problems] of [
  ['a size within a tenth', { size: 17 }, [near('size', '17px', '16px', 'body')]],
  ['a size of exactly a tenth more', { size: 17.6 }, [near('size', '17.6px', '16px', 'body')]],
  ['a size from points', { size: 16.666666 }, [near('size', '16.667px', '16px', 'body')]],
  ['a size below a responsive style', { size: 60, family: 'Other' }, []],
  ['a size above a responsive style', { size: 66 }, [{ ...near('size', '66px', '64px', 'hero'), guide: 'type' }]],
  ['a weight of the size', { size: 16, weight: 390 }, [near('weight', '390', '400', 'body')]],
  ['a weight between two styles', { size: 16, weight: 590 }, [near('weight', '590', '600', 'strong')]],
  ['a leading of the size', { size: 16, leading: 1.45 }, [near('line height', '1.45', '1.5', 'body')]],
  [
    'a weight and a leading',
    { size: 16, weight: 410, leading: 1.6 },
    [near('weight', '410', '400', 'body'), near('line height', '1.6', '1.5', 'body')],
  ],
  [
    'the family decides',
    { family: 'acme serif bold', size: 64, weight: 690 },
    [{ ...near('weight', '690', '700', 'hero'), guide: 'type' }],
  ],
  [
    'an unknown family is compared with all',
    { family: 'Verdana', size: 12.5 },
    [near('size', '12.5px', '13px', 'note')],
  ],
] as const)
  test(`the type is near: ${title}`, () => {
    assert.deepEqual(problemsOf({ kind: 'type', ...use }, BRAND), problems)
  })

test('the smallest size of a responsive style equals the size in the exports', () => {
  for (const size of [12, 16, 18, 20, 24, 40, 64, 100]) {
    const least = Number.parseInt(sizeRange({ size, responsive: true }) ?? '', 10)
    const brand = { types: [{ id: 'hero', families: [], size, responsive: true }] }
    const sizes = [least - 1, least, (least + size) / 2, size]
    const isNear = sizes.map(value => problemsOf({ kind: 'type', size: value }, brand).length)
    const isBelowNear = (size - (least - 1)) / size <= 0.1 ? 1 : 0
    assert.deepEqual(isNear, [isBelowNear, 0, 0, 0], `${size} px`)
  }
})
