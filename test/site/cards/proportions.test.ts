import assert from 'node:assert/strict'
import test from 'node:test'
import { treeHtml } from '#site/cards/element.ts'
import { colorArea } from '#site/cards/proportions.ts'
import { wordsFor } from '#site/words/words.ts'

const WORDS = wordsFor('en')

const share = (name: string, proportion?: number) => ({ name, hex: '#1d70b8', letters: '#ffffff', proportion })

/** The place of each part in percent: its start from the left and the top, its width and its height. */
function drawArea(...shares: (number | undefined)[]): string[][] {
  const { text } = treeHtml(
    colorArea(
      WORDS,
      shares.map((proportion, at) => share(`Colour ${at}`, proportion)),
    ),
  )
  const parts = text.matchAll(/<svg x="(.*?)%" y="(.*?)%" width="(.*?)%" height="(.*?)%">/g)
  return Array.from(parts, ([, ...place]) => place)
}

test('colours without shares have equal parts of the area', () => {
  assert.deepEqual(drawArea(undefined, undefined, undefined, undefined), [
    ['0', '0', '50', '50'],
    ['0', '50', '50', '50'],
    ['50', '0', '50', '50'],
    ['50', '50', '50', '50'],
  ])
})

test('a part shows its name and share in the letters of its colour if they fit, else its share or nothing', () => {
  const { text } = treeHtml(
    colorArea(WORDS, [share('Paper', 60), share('A <long> name', 20), share('Ink', 8), share('Red', 2)]),
  )
  const labels = Array.from(text.matchAll(/<text class="([^"]*)".*? fill="#ffffff">(.*?)</g), ([, ...label]) => label)
  assert.deepEqual(labels, [
    ['tile-name', 'Paper 60%'],
    ['tile-name minor', 'A &#60;long&#62; name 20%'],
    ['tile-name', 'Ink 8%'],
    ['tile-name minor', '2%'],
  ])
})

test('a share goes below its name if a part is too narrow for both', () => {
  const { text } = treeHtml(colorArea(WORDS, [share('Paper', 83), share('Ink', 17)]))
  const labels = Array.from(text.matchAll(/dy="(-\d+)" fill="#ffffff">(.*?)</g), ([, ...label]) => label)
  assert.deepEqual(labels, [
    ['-16', 'Paper 83%'],
    ['-16', '17%'],
    ['-38', 'Ink'],
  ])
})
