import assert from 'node:assert/strict'
import test from 'node:test'
import { nameColors, nameTypes } from '#adopt/conversion/tokens/token-names.ts'

function tokens(...paths: string[]) {
  return paths.map(path => ({ path: path.split('.'), set: [], value: null }))
}

test('a colour is named by the shortest clear and unique end of its path', () => {
  const paths = [
    'color.ink',
    'color.blue.500',
    'color.blue.A100',
    'color.brand.Primary Blue',
    'color.text.muted',
    'color.border.muted',
    'color.button.primary.bg.hover',
    'color.500',
  ]
  assert.deepEqual(nameColors(tokens(...paths)), [
    { name: 'ink' },
    { name: 'blue 500', group: 'blue' },
    { name: 'blue A100', group: 'blue' },
    { name: 'Primary Blue', group: 'brand' },
    { name: 'text muted', group: 'text' },
    { name: 'border muted', group: 'border' },
    { name: 'bg hover', group: 'button / primary / bg' },
    { name: '500' },
  ])
})

test('two names are equal if their ids are', () => {
  const names = nameColors(tokens('a.Deep Sea', 'b.deep-sea', 'b')).map(({ name }) => name)
  assert.deepEqual(names, ['a Deep Sea', 'b deep-sea', 'b'])
})

test('a type style is named by its whole path', () => {
  assert.deepEqual(nameTypes(tokens('typography.heading.h1.bold', 'text-styles.body', 'body')), [
    'heading h1 bold',
    'body',
    'body',
  ])
})
