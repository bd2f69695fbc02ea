import assert from 'node:assert/strict'
import test from 'node:test'
import { compileString, SassMap, SassString, sassNull, type Value } from 'sass'
import { exported, onlyText } from '../../../support/exported.ts'
import { temporaryStore } from '../../../support/temporary-store.ts'
import { forAnyBrand } from '../hostile-brand.ts'

const temporary = await temporaryStore()

test('for any brand, Sass finds exactly its colours and type styles, with their authored strings', async () => {
  await forAnyBrand(25, async brand => {
    const maps = mapsIn(onlyText(await exported(temporary, 'scss', brand)))
    const { colors, types } = JSON.parse(onlyText(await exported(temporary, 'json', brand)))
    const ids = (list: { id: string }[]) => list.map(({ id }) => id)
    const seen = maps.map(map => [...map.contents.keys()].map(textOf))
    assert.deepEqual(seen, [ids(colors), ids(types)])
    for (const { id, family, fallback = [] } of types) {
      const known = maps[1]?.get(new SassString(id))?.tryMap()?.get(new SassString('family'))
      const families = known?.asList.toArray().map(textOf) ?? []
      const written = [...(family === undefined ? [] : [family]), ...fallback]
      assert.deepEqual(families, [...new Set(written)])
    }
  })
})

/** The two maps that Sass finds in a sheet that uses the tokens. */
function mapsIn(tokens: string): SassMap[] {
  const maps: SassMap[] = []
  const keep = ([value]: Value[]) => {
    maps.push(value?.tryMap() ?? new SassMap())
    return sassNull
  }
  compileString('@use "tokens"; $_: keep(tokens.$colors); $_: keep(tokens.$types);', {
    importer: {
      canonicalize: name => new URL(`tokens:${name}`),
      load: () => ({ contents: tokens, syntax: 'scss' }),
    },
    functions: { 'keep($map)': keep },
  })
  return maps
}

function textOf(value: Value): string {
  return value.assertString().text
}
