import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expandTypesMap, permutateThemes, register } from '@tokens-studio/sd-transforms'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { formatHex } from 'culori'
import { transform } from 'lightningcss'
import { compileString } from 'sass'
import StyleDictionary from 'style-dictionary'
import { guideStyles } from '#adopt/conversion/guide-styles.ts'
import { tokenKey } from '#brand/styles/style-omissions.ts'
import { field } from '#platform/base/object.ts'
import { readSource } from '../../support/converted.ts'
import { exported, onlyText } from '../../support/exported.ts'
import { fc } from '../../support/random.ts'
import { folderWith } from '../../support/temporary.ts'
import { temporaryStore } from '../../support/temporary-store.ts'
import { stylesInTokens, tokensIn } from './design-tokens/read-tokens.ts'
import { built, dictionary, isColor } from './design-tokens/style-dictionary.ts'
import { forAnyBrand, hostileBrand } from './hostile-brand.ts'

const temporary = await temporaryStore()
await register(StyleDictionary)
const isValid = officialSchema()

const ACME = {
  'styles/colors.yaml': await readFile('examples/acme/guidelines/styles/colors.yaml', 'utf8'),
  'styles/types.yaml': await readFile('examples/acme/guidelines/styles/types.yaml', 'utf8'),
}

test('for any brand, tokens.json is valid and has exactly its colours and type styles', async () => {
  await forAnyBrand(10, async brand => {
    const made = await exported(temporary, 'dtcg', brand)
    const file: unknown = JSON.parse(onlyText(made))
    assert.ok(isValid(file), JSON.stringify(isValid.errors))
    const styles = JSON.parse(onlyText(await exported(temporary, 'json', brand)))
    const byId = (list: { id: string; rgb?: string }[]) => new Map(list.map(({ rgb: _, ...each }) => [each.id, each]))
    assert.deepEqual(stylesInTokens(file, hexOfComponents), { colors: byId(styles.colors), types: byId(styles.types) })
    for (const { description } of [{ description: field(file, '$description') }, ...tokensIn(file)])
      assert.doesNotMatch(`${description}`, /[{}\u2028\u2029]|\*\/|\/\*|--/)
    assert.doesNotMatch(JSON.stringify(stringsIn(file)), /[{}]/)
    assert.doesNotMatch(onlyText(made), /[\u2028\u2029]/)
  })
})

test('init reads the colours and type styles of a brand back from its tokens', async () => {
  await forAnyBrand(10, async brand => {
    const read = readSource(Buffer.from(onlyText(await exported(temporary, 'dtcg', brand))))
    const empty = brand['styles/colors.yaml'] === '[]' && brand['styles/types.yaml'] === '[]'
    assert.ok(read.ok || empty, JSON.stringify(read))
    if (!read.ok) return
    const found = guideStyles([read.value])
    assert.ok(found.ok)
    const styles = JSON.parse(onlyText(await exported(temporary, 'json', brand)))
    const byId = (list: readonly { id: string }[]) => new Map(list.map(each => [each.id, each]))
    assert.deepEqual(byId(found.value.colors), byId(styles.colors))
    assert.deepEqual(byId(found.value.types), byId(styles.types))
  })
})

test('Terrazzo validates tokens.json and converts each token to CSS', async () => {
  const brand = fc.sample(hostileBrand(), { seed: 7, numRuns: 4 })
  const files = await Promise.all([ACME, ...brand].map(each => exported(temporary, 'dtcg', each)))
  const { checked, css } = await terrazzo(files.map(made => onlyText(made)))
  assert.match(checked, /No errors/)
  transform({ filename: 'tokens.css', code: Buffer.from(css), errorRecovery: false })
  const tokens = files.flatMap(made => tokensIn(JSON.parse(onlyText(made))))
  const colors = new Set(tokens.flatMap(({ group, id }) => (group === 'color' ? [id] : [])))
  assert.equal(css.match(/^ {2}--color-/gm)?.length, colors.size)
  assert.match(css, /--typography-heading-1-letter-spacing: -0.675px/)
})

/** The style sheet that Terrazzo makes of token files, and its opinion of them. */
async function terrazzo(files: readonly string[], options = ''): Promise<{ checked: string; css: string }> {
  const terrazzo = import.meta.resolve('@terrazzo/cli')
  const folder = await folderWith({
    'terrazzo.config.mjs': `import { defineConfig } from '${terrazzo}'
import css from '${import.meta.resolve('@terrazzo/plugin-css')}'
export default defineConfig({ tokens: ${JSON.stringify(files.map((_, at) => `./${at}.json`))}, outDir: '.', lint: { rules: { 'core/consistent-naming': 'off' } }, plugins: [css({ filename: 'tokens.css', ${options} })] })
`,
    ...Object.fromEntries(files.map((file, at) => [`${at}.json`, file])),
  })
  const run = async (command: string) => {
    const program = fileURLToPath(new URL('../bin/cli.js', terrazzo))
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, command], { cwd: folder })
    return `${stdout}${stderr}`
  }
  const checked = await run('check')
  await run('build')
  return { checked, css: await readFile(join(folder, 'tokens.css'), 'utf8') }
}

test('Style Dictionary converts tokens.json to CSS, Sass and Swift', async () => {
  const made = JSON.parse(onlyText(await exported(temporary, 'dtcg', ACME)))
  const css = await built(made, 'css', 'css/variables', { expand: { include: ['typography'] } })
  for (const text of [
    '--color-ink: #14212b;',
    '--typography-heading-1-font-size: 45px;',
    '--typography-heading-1-letter-spacing: -0.675px;',
    '--typography-heading-1-line-height: 1.1;',
    '--typography-heading-1-font-weight: 600;',
  ])
    assert.ok(css.includes(text), `${text} in ${css}`)
  const scss = await built(made, 'scss', 'scss/variables', {}, isColor)
  assert.match(compileString(`${scss}\na { color: $color-ink }`).css, /color: #14212b/)
  const swift = await built(made, 'ios-swift', 'ios-swift/class.swift', {}, isColor)
  assert.match(swift, /colorInk = UIColor\(red: 0\.078, green: 0\.129, blue: 0\.169, alpha: 1\)/)
})

test('for any brand, Style Dictionary finds its tokens, and CSS and Sass have their values', async () => {
  await forAnyBrand(8, async brand => {
    const file = JSON.parse(onlyText(await exported(temporary, 'dtcg', brand)))
    const tokens = tokensIn(file).map(({ group, id }) => `${group}.${tokenKey({ id })}`)
    const { allTokens } = await dictionary(file).getPlatformTokens('out')
    assert.deepEqual(allTokens.map(({ path }) => path.join('.')).sort(), tokens.sort())
    const css = await built(file)
    transform({ filename: 'a.css', code: Buffer.from(css), errorRecovery: false })
    assert.equal(new Set(css.match(/^ {2}--[^:]+/gm)).size, tokens.length)
    compileString(await built(file, 'scss', 'scss/variables'))
  })
})

function stringsIn(value: unknown): string[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [`${value}`]
}

function hexOfComponents(value: unknown): string {
  const components: unknown = field(value, 'components')
  assert.ok(Array.isArray(components))
  const hex = `#${components
    .map(each =>
      Math.round(each * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
  assert.equal(field(value, 'hex'), hex)
  return hex
}

/** The schemas of the specification, 2025.10. */
function officialSchema(name = 'format.json') {
  const ajv = new Ajv({ strict: false })
  formats.default(ajv)
  ajv.addFormat('json-pointer-uri-fragment', /^#(?:\/|$)/)
  for (const path of globSync('test/fixtures/dtcg-2025.10/**/*.json'))
    ajv.addSchema(JSON.parse(readFileSync(path, 'utf8')))
  const validate = ajv.getSchema(`https://www.designtokens.org/schemas/2025.10/${name}`)
  assert.ok(validate)
  return validate
}

const SCHEMES = {
  'styles/colors.yaml':
    '- { name: Ink, hex: "#14212b", use: Text, dark: 8ab8ee, cmyk: [1, 2, 3, 4] }\n- { name: Red, hex: "#f00" }\n- { id: 红, name: Rot, hex: "#f00", dark: { rgb: [255, 128, 128] } }\n',
  'styles/types.yaml': '- { name: Body, family: Acme, size: 16, weight: 400, leading: 1.5 }\n',
}

test('tokens.dark.json has only the values on dark grounds, and Style Dictionary merges it over tokens.json', async () => {
  const [light, dark] = await Promise.all(['dtcg', 'dtcg-dark'].map(id => exported(temporary, id, SCHEMES)))
  const files = [light, dark].map(made => JSON.parse(made ? onlyText(made) : ''))
  for (const file of files) assert.ok(isValid(file), JSON.stringify(isValid.errors))
  const seen = tokensIn(files[1]).map(({ group, id, value, description }) => [
    group,
    id,
    field(value, 'hex'),
    description,
  ])
  assert.deepEqual(seen, [
    ['color', 'ink', '#8ab8ee', 'Ink: Text'],
    ['color', '红', '#ff8080', 'Rot'],
  ])
  const merged = { ...files[0], color: { ...files[0].color, ...files[1].color } }
  const css = await built(merged, 'css', 'css/variables', {}, isColor)
  assert.match(css, /--color-ink: #8ab8ee;.*\n {2}--color-red: #ff0000;/)
})

test('tokens.resolver.json is valid, and Terrazzo resolves both schemes of it', async () => {
  const file: unknown = JSON.parse(onlyText(await exported(temporary, 'dtcg-resolver', SCHEMES)))
  const isResolver = officialSchema('resolver.json')
  assert.ok(isResolver(file), JSON.stringify(isResolver.errors))
  const rules = ['light', 'dark'].map(
    scheme => `{ input: { scheme: '${scheme}' }, prepare: css => '.${scheme} {\\n' + css + '}\\n' }`,
  )
  const { css } = await terrazzo([JSON.stringify(file)], `permutations: [${rules.join(', ')}]`)
  const parts = css.split('.dark {')
  const colorsIn = (part = '') =>
    Array.from(part.matchAll(/--color-(.*): (.*);/g), ([, id, value]) => `${id} ${formatHex(value)}`)
  assert.deepEqual(colorsIn(parts[0]), ['ink #14212b', 'red #ff0000', '红 #ff0000'])
  assert.deepEqual(colorsIn(parts[1]), ['ink #8ab8ee', 'red #ff0000', '红 #ff8080'])
})

for (const id of ['dtcg-dark', 'dtcg-resolver'])
  test(`${id} of a brand with one scheme says what to write`, async () => {
    await assert.rejects(exported(temporary, id, ACME), /no colour has a value for dark grounds/)
  })

test('tokens.legacy.json has a theme of Tokens Studio for each scheme, and the same sets as without', async () => {
  const { $themes, $metadata, ...sets } = JSON.parse(onlyText(await exported(temporary, 'dtcg-legacy', SCHEMES)))
  assert.deepEqual(Object.keys(sets), ['color', 'typography', 'dark'])
  assert.deepEqual($metadata, { tokenSetOrder: ['color', 'typography', 'dark'] })
  const inkIn = async (names: readonly string[]) => {
    const tokens = Object.assign({}, ...names.map(name => sets[name]))
    return /--ink: ([^;]*)/.exec(await built(tokens, 'tokens-studio'))?.[1]
  }
  const themes = permutateThemes($themes)
  assert.deepEqual(Object.keys(themes), ['Light', 'Dark'])
  assert.equal(await inkIn(themes.Light ?? []), '#14212b')
  assert.equal(await inkIn(themes.Dark ?? []), '#8ab8ee')
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
  await forAnyBrand(30, async brand => {
    const made = await exported(temporary, 'dtcg-legacy', brand)
    const file = JSON.parse(onlyText(made))
    const unexpected = Object.keys(file).filter(key => key.startsWith('$'))
    assert.deepEqual(unexpected, [])
    const styles = JSON.parse(onlyText(await exported(temporary, 'json', brand)))
    const byId = (list: { id: string; rgb?: string }[]) => new Map(list.map(({ rgb: _, ...each }) => [each.id, each]))
    const { colors, types } = stylesInTokens(file, String)
    assert.deepEqual(colors, byId(styles.colors))
    assert.deepEqual(types, byId(styles.types.filter(({ id }: { id: string }) => types.has(id))))
    const told = made.leftOut.find(each => each.endsWith('is left out')) ?? '0'
    assert.equal(Number.parseInt(told, 10), styles.types.length - types.size)
    const paths = tokensIn(file).map(({ group, id }) => `${group}.${tokenKey({ id })}`)
    const { allTokens } = await dictionary(file, 'tokens-studio').getPlatformTokens('out')
    const found = allTokens.map(({ path }) => path.slice(0, 2).join('.'))
    // The transforms split `Bold Italic` into two tokens.
    assert.deepEqual([...new Set(found)].sort(), paths.sort())
  })
})
