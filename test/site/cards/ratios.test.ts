import assert from 'node:assert/strict'
import test from 'node:test'
import { portraitClasses } from '#site/cards/ratios.ts'

test('a portrait is at most as wide as its height in a window allows', () => {
  const classes = [
    [1000, 1500],
    [1500, 1000],
    [100, 150],
    [400, 4000],
  ].map(([width = 0, height = 0]) => portraitClasses({ width, height }))
  assert.deepEqual(classes, [['ratio-66'], [], [], []])
})
