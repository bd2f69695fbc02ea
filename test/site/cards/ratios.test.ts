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

test('pictures of a row share a height at which they fill it, if none is enlarged', () => {
  const row = (...sides: [number, number][]) => rowClasses(sides.map(([width, height]) => ({ width, height })))
  const classes = [
    row([1500, 1000], [500, 1000], [900, 1000]),
    row([1500, 1000], [50, 100]),
    row(...Array.from({ length: 4 }, (): [number, number] => [900, 900])),
    row([900, 900], [Infinity, Infinity]),
  ]
  assert.deepEqual(classes, [['row-29'], [], [], []])
})
