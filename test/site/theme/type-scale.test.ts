import assert from 'node:assert/strict'
import test from 'node:test'
import { readTypes } from '#intake/styles/types.ts'
import { ownScale } from '#site/theme/type-scale.ts'

/** Type styles by name and size. */
function typesOf(sizes: Readonly<Record<string, number>>) {
  const text = Object.entries(sizes).map(([name, size]) => `- { name: ${name}, size: ${size} }\n`)
  return readTypes(text.join('')).types.map(({ style }) => style)
}

const cases: Readonly<Record<string, [sizes: Record<string, number>, scale: string]>> = {
  'title and h2': [{ Title: 64, H2: 32, Body: 16 }, 'title title, h2 h2'],
  'headings with numbers': [
    { 'Heading 1': 45, 'Heading 2': 32, 'Heading 3': 20, Caption: 13 },
    'h1 heading-1, h2 heading-2, h3 heading-3, caption caption',
  ],
  'a display style, a heading and a lead': [
    { Display: 80, Heading: 30, Lead: 20 },
    'title display, h2 heading, lead lead',
  ],
  'sizes that do not fall': [{ Title: 32, H2: 40 }, ''],
  'headings only': [{ H2: 40, H3: 20 }, ''],
  'headings in the size of text': [{ Title: 16, H2: 12 }, ''],
  'other names': [{ Poster: 90, Shelf: 40 }, ''],
}
for (const [name, [sizes, scale]] of Object.entries(cases))
  test(`a guide with ${name} has ${scale === '' ? 'no scale of its own' : `the scale ${scale}`}`, () => {
    const steps = Object.entries(ownScale(typesOf(sizes)) ?? {}).map(([role, style]) => `${role} ${style?.id}`)
    assert.equal(steps.join(', '), scale)
  })
