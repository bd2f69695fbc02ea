import assert from 'node:assert/strict'
import test from 'node:test'
import { portraitClasses, rowClasses } from '#site/cards/ratios.ts'

test('a portrait is at most as wide as its height in a window allows', () => {
  const classes = [
    [1000, 1500],
    [1500, 1000],
    [100, 150],
    [400, 4000],
  ].map(([width = 0, height = 0]) => portraitClasses({ width, height }))
  assert.deepEqual(classes, [['ratio-66'], [], [], []])
})

test('pictures of a row have the height of the widest one, and those with equal sides their own', () => {
  const row = (...widths: number[]) => rowClasses(widths.map(width => ({ width, height: 100 })))
  assert.deepEqual([row(150, 149), row(150, 70), row(500, 50)], [[], ['ratio-150'], ['ratio-125']])
  assert.deepEqual(
    rowClasses([
      { width: 80, height: 60 },
      { width: Infinity, height: Infinity },
    ]),
    [],
  )
})
