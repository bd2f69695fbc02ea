import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test from 'node:test'
import { expandTypesMap, register } from '@tokens-studio/sd-transforms'
import StyleDictionary from 'style-dictionary'
import { exported, onlyText } from '../../support/exported.ts'
import { fc } from '../../support/random.ts'
import { temporaryStore } from '../../support/temporary-store.ts'
import { forAnyBrand, hostileBrand } from '../hostile-brand.ts'
import { stylesInTokens, tokensIn } from './read-tokens.ts'
import { built, dictionary } from './style-dictionary.ts'

const temporary = await temporaryStore()
await register(StyleDictionary)

test('tokens.legacy.json has strings with units, and the types of Tokens Studio', async () => {
  const made = await exported(temporary, 'dtcg-legacy', {
    'styles/colors.yaml': '- { name: Ink, hex: "#0B0C0C", cmyk: [0, 0, 0, 100] }\n',
    'styles/types.yaml': `- { name: Body, family: Acme, fallback: [serif], size: 45, weight: SemiBold, leading: 1.1, tracking: -0.015, style: italic, casing: small-caps, spacing: 0.5 }
- { name: Plain, family: Acme, size: 16, weight: 450, leading: 1.5, style: italic }
- { name: Light, family: Acme, size: 16, weight: 300, casing: uppercase, spacing: 0.5, tracking: 0.1 }
`,
  })
  assert.deepEqual(
    tokensIn(JSON.parse(onlyText(made))).map(({ group, id, type, value }) => [`${group}.${id}`, type, value]),
    [
      ['color.ink', 'color', '#0b0c0c'],
      [
        'typography.body',
        'typography',
        {
          fontFamily: 'Acme',
          fontSize: '45px',
          fontWeight: 'SemiBold Italic',
          lineHeight: '110%',
          letterSpacing: '-0.675px',
          textCase: 'small_caps',
          paragraphSpacing: '22.5px',
        },
      ],
      [
        'typography.plain',
        'typography',
        { fontFamily: 'Acme', fontSize: '16px', fontWeight: 450, lineHeight: '150%', letterSpacing: '0px' },
      ],
      ['fontFamily.light', 'fontFamilies', 'Acme'],
      ['fontSize.light', 'fontSizes', '16px'],
      ['fontWeight.light', 'fontWeights', 300],
      ['letterSpacing.light', 'letterSpacing', '1.6px'],
      ['textCase.light', 'textCase', 'uppercase'],
      ['paragraphSpacing.light', 'paragraphSpacing', '8px'],
    ],
  )
})

test('the transforms of Tokens Studio convert tokens.legacy.json to CSS', async () => {
  const made = await exported(temporary, 'dtcg-legacy', {
    'styles/colors.yaml': await readFile('examples/acme/guidelines/styles/colors.yaml'),
    'styles/types.yaml': await readFile('examples/acme/guidelines/styles/types.yaml'),
  })
  const css = await built(JSON.parse(onlyText(made)), 'tokens-studio', 'css/variables', {
    expand: { typesMap: expandTypesMap },
  })
  for (const text of [
    '--colorInk: #14212b;',
    '--typographyHeading1FontSize: 45px;',
    '--typographyHeading1LineHeight: 1.1;',
    '--typographyHeading1LetterSpacing: -0.675px;',
    '--typographyHeading1FontWeight: 600;',
    '--typographyQuoteFontWeight: 400;',
    '--typographyQuoteFontStyle: italic;',
    '--typographyLabelTextCase: uppercase;',
  ])
    assert.ok(css.includes(text), `${text} in ${css}`)
})

test('for any brand, tokens.legacy.json has exactly its colours and type styles, and the export lists omissions', async () => {
  await forAnyBrand(
    30,
    async brand => {
      const made = await exported(temporary, 'dtcg-legacy', brand)
      const file = JSON.parse(onlyText(made))
      assert.deepEqual(
        Object.keys(file).filter(key => key.startsWith('$')),
        [],
      )
      const styles = JSON.parse(onlyText(await exported(temporary, 'json', brand)))
      const byId = (list: { id: string; rgb?: string }[]) => new Map(list.map(({ rgb: _, ...each }) => [each.id, each]))
      const { colors, types } = stylesInTokens(file, String)
      assert.deepEqual(colors, byId(styles.colors))
      assert.deepEqual(types, byId(styles.types.filter(({ id }: { id: string }) => types.has(id))))
      const told = made.leftOut.find(each => each.endsWith('is left out')) ?? '0'
      assert.equal(Number.parseInt(told, 10), styles.types.length - types.size)
      const paths = tokensIn(file).flatMap(({ group, id }) => (id === 'constructor' ? [] : [`${group}.${id}`]))
      const isBraced = /[{}]/.test(JSON.stringify(Object.values(styles)).replace(/[{}]"|"[{}]/g, ''))
      if (isBraced) return
      const { allTokens } = await dictionary(file, 'tokens-studio').getPlatformTokens('out')
      assert.deepEqual(allTokens.map(({ path }) => path.slice(0, 2).join('.')).sort(), paths.sort())
    },
    fc.oneof(hostileBrand(), hostileBrand(/[{}]/g)),
  )
})
