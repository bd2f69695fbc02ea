import assert from 'node:assert/strict'
import test from 'node:test'
import { breakable, fitClasses, heading } from '#site/cards/long-words.ts'
import { html } from '#site/html.ts'

test('a title has the length of its longest word, which only a hyphen or a character of Chinese ends', () => {
  const cases: [title: string, classes: string][] = [
    ['Logo', ''],
    ['A set of few words that goes on', ''],
    ['Kommunikations-Grundsatzpapier', 'fit word-16'],
    ['色彩色彩色彩色彩色彩色彩', ''],
    ['Barrierefreiheitsanforderung', 'fit word-24'],
    ['Unsere Benutzerfreundlichkeitsrichtlinien', 'fit word-30'],
    ['x'.repeat(300), 'fit word-64'],
  ]
  for (const [title, classes] of cases) assert.deepEqual([title, fitClasses([title]).join(' ')], [title, classes])
})

test('a heading with a long word has a box for it', () => {
  assert.equal(heading(1, 'A & B').text, '<h1>A &#38; B</h1>')
  assert.equal(heading(2, 'Typography').text, '<h2 class="fit word-10"><span>Typography</span></h2>')
})

test('a name may break after hyphens, underscores, dots and slashes', () => {
  assert.equal(html`${breakable('logo_dark-2.svg')}`.text, 'logo_<wbr>dark-2.<wbr>svg')
  assert.equal(html`${breakable('The GOV.UK website')}`.text, 'The GOV.UK website')
  assert.equal(html`${breakable('Primary/Hover & 1. Rest-')}`.text, 'Primary/<wbr>Hover &#38; 1. Rest-')
})

test('a size such as 60 × 40 is one word', () => {
  assert.deepEqual(fitClasses(['1189 × 1682 mm']), ['fit', 'word-11'])
  assert.deepEqual(fitClasses(['1189 and 1682 mm']), [])
})
