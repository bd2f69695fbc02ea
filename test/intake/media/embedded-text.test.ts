import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { parse } from 'yaml'
import { pictureDescription } from '#intake/media/embedded-text.ts'

const texts: Readonly<Record<'programs' | 'people', string[]>> = parse(
  readFileSync(new URL('../../fixtures/picture-texts.yaml', import.meta.url), 'utf8'),
)

test('texts that cameras and drawing programs write do not describe a picture', () => {
  const unexpected = texts.programs.filter(text => pictureDescription(text) !== undefined)
  assert.deepEqual(unexpected, [])
})

test('texts that people write describe a picture', () => {
  const seen = texts.people.map(text => pictureDescription(text))
  assert.deepEqual(seen, texts.people)
})

test('the first text of a person is found after those of programs', () => {
  assert.equal(pictureDescription('Artboard 1', undefined, 'Our mark'), 'Our mark')
})

test('a text that continues after many digits does not stop an import', () => {
  const text = `Frame ${'0'.repeat(900)} of the harbour`
  assert.equal(pictureDescription(text), text)
})
