import assert from 'node:assert/strict'
import test from 'node:test'
import { LAZY, renderedText } from '../rendered.ts'

const image = (name: string) => `<span class="picture"><img src="${name}.png" alt="${name}" ${LAZY}></span>`
const slider =
  '<input type="range" min="0" max="100" value="50" aria-label="How much of the picture before is visible, in percent">'
const HEAD = '| Before | After |\n|---|---|\n'

test('a table headed Before and After with two pictures is a comparison with a labelled slider', () => {
  assert.equal(
    renderedText(`${HEAD}| ![a](a.png "2019") | [![b](b.png)](c.md) |`),
    `<div class="compare"><figure>${image('a')}<figcaption>Before: 2019</figcaption></figure><figure>${image('b')}<figcaption>After</figcaption></figure>${slider}</div>`,
  )
  const row = '| ![a](a.png) | ![b](b.png) |\n'
  assert.equal(renderedText(HEAD + row + row).match(/class="compare"/g)?.length, 2)
})

test('other tables stay tables', () => {
  for (const table of [
    `${HEAD}| ![a](a.png) | text |`,
    `${HEAD}| ![a](a.png) ![b](b.png) | ![c](c.png) |`,
    `${HEAD}| ![a](a.png) | ![b](https://other.example/b.png) |`,
    `${HEAD}| ![a](a.png) | ![b](b.png) |\n| a | b |`,
    '| After | Before |\n|---|---|\n| ![a](a.png) | ![b](b.png) |',
    '| Before | After | |\n|---|---|---|\n| ![a](a.png) | ![b](b.png) | ![c](c.png) |',
    HEAD,
  ])
    assert.match(renderedText(table), /<table>/, table)
})
