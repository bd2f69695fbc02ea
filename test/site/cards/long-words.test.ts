import assert from 'node:assert/strict'
import test from 'node:test'
import { longestWord, longName, longTitle } from '../../../src/site/cards/long-words.ts'

test('a title with a word that would not fit next to the navigation is set in smaller letters', () => {
  const cases: [title: string, long: string | undefined][] = [
    ['Logo', undefined],
    ['A title of many short words that continues', undefined],
    ['Kommunikations-Grundsatzpapier', undefined],
    ['色彩色彩色彩色彩色彩色彩', undefined],
    ['Barrierefreiheitsanforderung', 'long'],
    ['Unsere Benutzerfreundlichkeitsrichtlinien', 'longest'],
  ]
  for (const [title, long] of cases) assert.deepEqual([title, longTitle(title)], [title, long])
})

test('a name of a colour is set in the largest letters with which its words fit its tile', () => {
  const cases: [name: string, width: number, usualSize: number, classes: string[]][] = [
    ['Petrol', 15, 20, []],
    ['Unternehmensgrau', 30, 20, []],
    ['Sicherheitsorange', 15, 20, ['name-12']],
    ['Sicherheitsorange', 20, 44, ['name-18']],
    ['Accessibility blue', 20, 44, ['name-24']],
    ['Primary/Hover/Interactive/Surface', 20, 20, []],
    ['Infrastrukturgrundton', 10, 20, ['name-12']],
  ]
  for (const [name, width, size, classes] of cases)
    assert.deepEqual([name, width, longName(name, width, size)], [name, width, classes])
})

test('a size such as 60 × 40 is one word', () => {
  assert.ok(longestWord('1189 × 1682 mm') > longestWord('1189 and 1682 mm'))
})
