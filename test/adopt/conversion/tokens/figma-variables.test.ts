import assert from 'node:assert/strict'
import test from 'node:test'
import { converted, namesAndHexes } from '#test/support/converted.ts'

const rgba = (r: number, g: number, b: number, a = 1) => ({ r, g, b, a })
const variable = (name: string, resolvedType: string, light: unknown, dark: unknown, description = '') => ({
  name,
  resolvedType,
  description,
  variableCollectionId: 'c',
  valuesByMode: { '1:1': dark, '1:0': light },
})

test('variables of Figma are read in the default mode, and the values of others are named', () => {
  const modes = [
    { modeId: '1:0', name: 'Light' },
    { modeId: '1:1', name: 'Dark' },
  ]
  const styles = converted({
    status: 200,
    meta: {
      variableCollections: { c: { name: 'Brand', modes, defaultModeId: '1:0' } },
      variables: {
        a: variable('blue', 'COLOR', rgba(0, 0.2392, 0.6471), rgba(0.4, 0.6, 1), 'Main colour'),
        b: variable('blue/link', 'COLOR', { type: 'VARIABLE_ALIAS', id: 'a' }, { type: 'VARIABLE_ALIAS', id: 'a' }),
        c: variable('veil', 'COLOR', rgba(0, 0, 0, 0.5), rgba(0, 0, 0, 0.5)),
        d: variable('space/1', 'FLOAT', 4, 8),
      },
    },
  })
  assert.deepEqual(namesAndHexes(styles), ['blue #003da5', 'link #003da5'])
  const seen = styles.colors.map(({ use, group }) => [use, group])
  assert.deepEqual(seen, [
    ['Main colour', 'Brand'],
    [undefined, 'Brand / blue'],
  ])
  assert.deepEqual(styles.notes, [
    '"Brand.blue", "Brand.blue.link", "Brand.veil", "Brand.space.1": a value for Dark; left out',
    '"Brand.space.1": a single token of the type "number" is not a style; left out',
    '"Brand.veil (#000000, alpha 0.5)": is not opaque, but guide colours must be opaque; left out',
  ])
})
