import assert from 'node:assert/strict'
import test from 'node:test'
import { problemsOf } from './judged.ts'

const low = (found: string, ratio: number, needs: string) => ({
  rule: 'contrast-low',
  found,
  ratio,
  message: `${found} has a contrast of ${ratio.toFixed(2)}, but ${needs}: choose a darker or a lighter colour`,
})
const NORMAL = 'text needs 4.5'

for (const [title, use, problems] of [
  ['text with 4.54 is right', { text: '#767676', ground: '#ffffff' }, []],
  [
    'text with 4.47 is low, which is rounded down',
    { text: '#777777', ground: '#ffffff' },
    [low('#777777 on #ffffff', 4.47, NORMAL)],
  ],
  [
    'the lighter of both may be the text',
    { text: '#888888', ground: '#777777' },
    [low('#888888 on #777777', 1.26, NORMAL)],
  ],
  ['text of 24 px needs 3', { text: '#777777', ground: '#ffffff', size: 24 }, []],
  [
    'text of 23.9 px is not large',
    { text: '#777777', ground: '#ffffff', size: 23.9 },
    [low('#777777 on #ffffff', 4.47, NORMAL)],
  ],
  ['bold text of 14 pt is large', { text: '#777777', ground: '#ffffff', size: 18.66, weight: 700 }, []],
  [
    'text of 14 pt that is not bold is not large',
    { text: '#777777', ground: '#ffffff', size: 18.66, weight: 600 },
    [low('#777777 on #ffffff', 4.47, NORMAL)],
  ],
  [
    'bold text of an unknown size is not large',
    { text: '#777777', ground: '#ffffff', weight: 700 },
    [low('#777777 on #ffffff', 4.47, NORMAL)],
  ],
  ['a colour on itself is no text', { text: '#999999', ground: '#999999' }, []],
  [
    'large text below 3 is low',
    { text: '#999999', ground: '#ffffff', size: 40 },
    [low('#999999 on #ffffff', 2.84, 'large text needs 3')],
  ],
] as const)
  test(`contrast: ${title}`, () => {
    assert.deepEqual(problemsOf({ kind: 'contrast', ...use }, {}), problems)
  })
