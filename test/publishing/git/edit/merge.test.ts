import assert from 'node:assert/strict'
import test from 'node:test'
import { mergedText, passagesOf } from '#publishing/git/edit/merge.ts'
import { fc } from '../../../support/random.ts'

const merge = (base: string, mine: string, theirs: string) =>
  passagesOf(base, mine, theirs).map(passage => mergedText(passage) ?? passage)

const CASES: readonly [what: string, base: string, mine: string, theirs: string, merged: string][] = [
  ['changes of different lines are both kept', 'a\nb\nc\n', 'A\nb\nc\n', 'a\nb\nC\n', 'A\nb\nC\n'],
  [
    'changes of different sentences of a line are both kept',
    'One. Two. Three.\n',
    '1. Two. Three.\n',
    'One. Two. 3.\n',
    '1. Two. 3.\n',
  ],
  ['an insertion next to a change is kept', 'a\nb\n', 'a\nnew\nb\n', 'a\nB\n', 'a\nnew\nB\n'],
  ['equal changes count once', 'a\nb\n', 'a\nB\n', 'a\nB\n', 'a\nB\n'],
  ['a removal is kept', 'a\nb\nc\nd\n', 'a\nc\nd\n', 'a\nb\nc\nD\n', 'a\nc\nD\n'],
  ['a change of only one person is kept', '', 'a\n', '', 'a\n'],
]
for (const [what, base, mine, theirs, merged] of CASES)
  test(`in a merge, ${what}`, () => assert.equal(merge(base, mine, theirs).join(''), merged))

test('different changes of the same place, and insertions at the same place, are not merged', () => {
  assert.deepEqual(merge('a\nb\nc\n', 'a\nB\nc\n', 'a\nbb\nc\n'), [
    'a\n',
    { base: 'b\n', mine: 'B\n', theirs: 'bb\n' },
    'c\n',
  ])
  assert.deepEqual(merge('a\nc\n', 'a\nb\nc\n', 'a\nB\nc\n'), ['a\n', { base: '', mine: 'b\n', theirs: 'B\n' }, 'c\n'])
})

test('the passages of any three texts contain each text completely and in order', () => {
  const text = fc.array(fc.constantFrom('a\n', 'b\n', 'c. d. e\n', '', 'f')).map(parts => parts.join(''))
  fc.assert(
    fc.property(text, text, text, (base, mine, theirs) => {
      const passages = passagesOf(base, mine, theirs)
      const whole = (side: 'base' | 'mine' | 'theirs') => passages.map(passage => passage[side]).join('')
      assert.deepEqual([whole('base'), whole('mine'), whole('theirs')], [base, mine, theirs])
    }),
    { numRuns: 300 },
  )
})

test('two long texts without a line in common are both kept as a whole', () => {
  const [base, mine, theirs] = ['a', 'b', 'c'].map(letter =>
    Array.from({ length: 200_000 }, (_, at) => `${letter}${at}\n`).join(''),
  )
  assert.ok(base && mine && theirs)
  const passages = passagesOf(base, mine, theirs)
  for (const side of ['mine', 'theirs'] as const)
    assert.ok(passages.map(passage => passage[side]).join('') === { mine, theirs }[side])
})
