import assert from 'node:assert/strict'
import test from 'node:test'
import { compileString, SassMap, SassString, sassNull, type Value } from 'sass'
import { exported, onlyText } from '../../../support/exported.ts'
import { temporaryStore } from '../../../support/temporary-store.ts'
import { forAnyBrand } from '../hostile-brand.ts'

const temporary = await temporaryStore()

const BRAND = {
  'styles/colors.yaml': '- { name: Red, hex: "#0B0C0C" }\n- { id: 红-rot, name: Rot, hex: "#f00" }\n',
  'styles/types.yaml': `- name: Heading 1
  family: 'Acme #{1 + 1} "Sans"'
  fallback: [Arial, sans-serif]
  size: 64
  weight: SemiBold
  style: italic
  leading: 1.1
  tracking: -0.02
  casing: uppercase
  spacing: 0.5
  responsive: true
  features: { tnum: 1, liga: 0 }
- { name: Small, family: Acme, size: 13, features: { tnum: 1 } }
- { name: Empty }
`,
}

test('_tokens.scss gives maps of colours and type styles to a sheet that uses it', async () => {
  const scss = onlyText(await exported(temporary, 'scss', BRAND))
  assert.match(scss, /^\/\/ Acme – guide, revision 1\n\/\/ snapshot [0-9a-f]{64}\n\/\/ http\S+\/guide\n\n/)
  const { css } = compile(
    scss,
    `a {
  color: map.get(tokens.$colors, "red");
  background: map.get(tokens.$colors, "红-rot");
}
b {
  @each $property, $value in map.get(tokens.$types, "heading-1") { -x-#{$property}: $value; }
}
c {
  font-size: map.get(tokens.$types, "small", "size") * 2;
  font-family: map.get(tokens.$types, "small", "family");
  font-feature-settings: map.get(tokens.$types, "small", "feature-settings");
}`,
  )
  assert.equal(
    css,
    `a {
  color: #0b0c0c;
  background: #ff0000;
}

b {
  -x-family: 'Acme #{1 + 1} "Sans"', "Arial", sans-serif;
  -x-style: italic;
  -x-weight: 600;
  -x-size: 64px;
  -x-line-height: 1.1;
  -x-letter-spacing: -0.02em;
  -x-text-transform: uppercase;
  -x-feature-settings: "liga" 0, "tnum" 1;
  -x-paragraph-spacing: 0.5em;
  -x-fluid-size: clamp(37px, 25.43px + 3.21vw, 64px);
}

c {
  font-size: 26px;
  font-family: "Acme";
  font-feature-settings: "tnum" 1;
}`,
  )
})

test('_tokens.scss has a map of the values on dark grounds if there are any', async () => {
  const colors = '- { name: Ink, hex: "#14212b", dark: 8ab8ee }\n- { name: Red, hex: "#f00" }\n'
  const scss = onlyText(await exported(temporary, 'scss', { 'styles/colors.yaml': colors }))
  const { css } = compile(
    scss,
    'a { @each $id, $color in map.merge(tokens.$colors, tokens.$colors-dark) { -x-#{$id}: $color; } -x-own: map.keys(tokens.$colors-dark) }',
  )
  assert.equal(css, 'a {\n  -x-ink: #8ab8ee;\n  -x-red: #ff0000;\n  -x-own: "ink";\n}')
})

test('_tokens.scss has a map for each print value', async () => {
  const colors = `- { id: ink, name: Ink, hex: "#0B0C0C", cmyk: "84,39,0,28", pms: '285, #{1}', ral: 5011, inks: { HKS: 13 K, '#{1}, x': 'a, "b' } }\n`
  const scss = onlyText(await exported(temporary, 'scss', { 'styles/colors.yaml': colors }))
  const { css } = compile(
    scss,
    `a {
  color: map.get(tokens.$cmyk, "ink");
  -x-pms: map.get(tokens.$pms, "ink");
  -x-ral: map.get(tokens.$ral, "ink");
  -x-pms2: map.has-key(tokens.$pms2, "ink");
  -x-hks: map.get(tokens.$inks, "ink", "HKS");
  -x-inks: map.values(map.get(tokens.$inks, "ink"));
}`,
  )
  assert.equal(
    css,
    `a {
  color: device-cmyk(84% 39% 0% 28%);
  -x-pms: "285, #{1}";
  -x-ral: 5011;
  -x-pms2: false;
  -x-hks: "13 K";
  -x-inks: "13 K", 'a, "b';
}`,
  )
})

test('for any brand, Sass finds exactly its colours and type styles, with their authored strings', async () => {
  await forAnyBrand(25, async brand => {
    const { maps } = compile(onlyText(await exported(temporary, 'scss', brand)), '')
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

/** Compiles a sheet that uses the tokens, and reads the two maps with Sass. */
function compile(tokens: string, sheet: string): { css: string; maps: SassMap[] } {
  const maps: SassMap[] = []
  const keep = ([value]: Value[]) => {
    maps.push(value?.tryMap() ?? new SassMap())
    return sassNull
  }
  const { css } = compileString(
    `@use "sass:map"; @use "tokens"; $_: keep(tokens.$colors); $_: keep(tokens.$types);\n${sheet}`,
    {
      importer: {
        canonicalize: name => new URL(`tokens:${name}`),
        load: () => ({ contents: tokens, syntax: 'scss' }),
      },
      functions: { 'keep($map)': keep },
    },
  )
  return { css, maps }
}

function textOf(value: Value): string {
  return value.assertString().text
}
