import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test, { after } from 'node:test'
import { openFontReader } from '#brand/fonts/font-reader.ts'
import { isStyleId } from '#brand/ids.ts'
import type { TypeStyle } from '#brand/type-style.ts'
import { openCaches } from '#platform/caches/caches.ts'
import { openFile } from '#serving/downloads/file-reply.ts'
import { sampleFace } from '#site/library/type/faces/guide-fonts.ts'
import { styleFaces } from '#site/library/type/faces/style-faces.ts'
import { cmapTable, interWith, nameTable, variableInter } from '#test/support/fonts.ts'
import { guideOf, withParts } from '#test/support/guide.ts'
import { publishedBrand } from '#test/support/temporary-store.ts'

const PLEX = 'node_modules/@ibm/plex-sans/fonts'
const temporary = await publishedBrand({
  'type/project.yaml': 'visibility: private\n',
  'type/styles/types.yaml': '- { name: Title, family: Inter, weight: 650 }\n',
  'type/files/regular.woff2': readFileSync(`${PLEX}/complete/woff2/IBMPlexSans-Regular.woff2`),
  'type/files/semibold.woff2': readFileSync(`${PLEX}/complete/woff2/IBMPlexSans-SemiBold.woff2`),
  'type/files/italic.woff2': readFileSync(`${PLEX}/complete/woff2/IBMPlexSans-Italic.woff2`),
  'type/files/variable.ttf': variableInter([['wght', 100, 400, 900]]),
  'type/files/icons.ttf': interWith({
    name: nameTable([[3, 0x409, 1, 'Acme Icons']]),
    cmap: cmapTable(1, 0x61, 0x62),
  }),
  'type/files/parts/cyrillic.woff2': readFileSync(`${PLEX}/split/woff2/IBMPlexSans-Light-Cyrillic.woff2`),
  'type/files/parts/latin.woff2': readFileSync(`${PLEX}/split/woff2/IBMPlexSans-Light-Latin1.woff2`),
})
const { files } = temporary.store
const reader = openFontReader((workspace, file) => openFile(files, workspace, file), openCaches())
after(() => reader.close())
const guide = await guideOf(temporary.store, 'acme', 'type', { fontFacts: reader.facts, fontSubset: reader.subset })
// A page waits some seconds for them, which may be too short on a busy machine.
for (const file of (await guide.publication.content.files()).values()) await reader.facts('acme', file)

function style(values: Partial<TypeStyle>): TypeStyle {
  const [id] = ['body'].filter(isStyleId)
  assert.ok(id)
  return { id, name: 'Body', casing: 'none', responsive: false, features: {}, ...values }
}

const SAMPLES = { display: 'block', hasEmphasis: false } as const

/** The fonts in the rules of a style: weights, style and file name. */
async function fontsOf(values: Partial<TypeStyle>, hasEmphasis = false): Promise<string[]> {
  const { rules, keptMs } = await styleFaces(guide, [style(values)], { display: 'swap', hasEmphasis })
  assert.equal(keptMs, undefined)
  return rules.flatMap(rule => {
    const found = /font-weight:([\d ]+);font-style:(\w+);.*\/files\/.*\/([\w.]+)"\)/.exec(rule)
    return found ? [found.slice(1).join(' ')] : []
  })
}

test('the frame does not use a font of icons, but its sample does', async () => {
  assert.deepEqual(await fontsOf({ family: 'Acme Icons' }), [])
  assert.equal((await styleFaces(guide, [style({ family: 'Acme Icons' })], SAMPLES)).rules.length, 1)
})

test('a style uses the font of its weight and style, and fonts for emphasis on request', async () => {
  const family = 'IBM Plex Sans'
  assert.deepEqual(await fontsOf({ family, weight: 600 }), ['600 normal semibold.woff2'])
  assert.deepEqual(await fontsOf({ family, weight: 900 }), ['600 normal semibold.woff2'])
  assert.deepEqual(await fontsOf({ family, style: 'italic' }), ['400 italic italic.woff2'])
  assert.deepEqual(await fontsOf({ family }), ['400 normal regular.woff2'])
  assert.deepEqual(await fontsOf({ family }, true), [
    '400 normal regular.woff2',
    '400 italic italic.woff2',
    '600 normal semibold.woff2',
  ])
})

test('the rule of a variable font has all the weights of its axis, in the frame only those of its text', async () => {
  const { rules } = await styleFaces(guide, [style({ family: 'Inter', weight: 650 })], SAMPLES)
  assert.match(rules[0] ?? '', /font-weight:100 900;/)
  assert.deepEqual(await fontsOf({ family: 'Inter', weight: 550 }, true), ['550 700 normal variable.ttf'])
})

test('the rule of each part of a font lists its characters', async () => {
  const { rules } = await styleFaces(guide, [style({ family: 'IBM Plex Sans', weight: 300 })], SAMPLES)
  const ranges = rules.flatMap(
    rule => /font-weight:300.*\/(\w+)\.woff2.*unicode-range:([^;}]*)/.exec(rule)?.slice(1) ?? [],
  )
  assert.deepEqual([ranges[0], ranges[2]], ['latin', 'cyrillic'])
  assert.match(ranges[1] ?? '', /^U\+20-7e,U\+a0-/)
  assert.match(ranges[3] ?? '', /U\+410-44f|U\+400/i)
})

test('until a font loads, the first common local one with the same metrics replaces it', async () => {
  const heading = style({ family: 'IBM Plex Sans', weight: 600, fallback: ['Arial', 'sans-serif'] })
  const { rules, families } = await styleFaces(guide, [heading], { display: 'swap', hasEmphasis: false })
  assert.equal(
    families(heading),
    '"Frame: IBM Plex Sans", "Fallback: IBM Plex Sans", "Fallback: IBM Plex Sans, 2", "Fallback: IBM Plex Sans, 3", "Arial", sans-serif, system-ui',
  )
  const seen = rules.slice(-3).map(rule => /local\("([^"]+)/.exec(rule)?.[1])
  assert.deepEqual(seen, ['Arial Bold', 'Roboto Bold', 'Noto Sans Bold'])
  assert.equal(
    rules.at(-3),
    '@font-face{font-family:"Fallback: IBM Plex Sans";font-weight:600;font-style:normal;src:local("Arial Bold"),local("Arial-BoldMT"),local("Liberation Sans Bold");size-adjust:96.89%;ascent-override:105.79%;descent-override:28.38%;line-gap-override:0%}\n',
  )
})

test('samples have separate family names, so that no other style sheet sets their font-display', async () => {
  const styles = [style({ family: 'IBM Plex Sans' })]
  const named = async (display: 'block' | 'swap') => {
    const { rules } = await styleFaces(guide, styles, { display, hasEmphasis: false })
    return /^@font-face\{font-family:"(\w+): .*font-display:(\w+)/.exec(rules[0] ?? '')?.slice(1)
  }
  assert.deepEqual(await named('block'), ['Guide', 'block'])
  assert.deepEqual(await named('swap'), ['Frame', 'swap'])
})

test('a style whose family is missing uses the installed family, otherwise its fallback', async () => {
  const missing = style({ family: 'Acme Sans', fallback: ['Georgia', 'serif'] })
  const { rules, families } = await styleFaces(guide, [missing], SAMPLES)
  assert.deepEqual(rules, [])
  assert.equal(families(missing), '"Acme Sans", "Georgia", serif, system-ui, sans-serif')
  assert.equal(families(style({})), undefined)
})

test('content made while fonts cannot be read is not reused', async () => {
  const failing = withParts(guide, { fontFacts: () => Promise.reject(new Error('no process')) })
  const { rules, keptMs } = await styleFaces(failing, [style({ family: 'Inter', weight: 650 })], SAMPLES)
  assert.equal(keptMs, 1)
  assert.match(rules.join(), /font-weight:400;font-style:normal;.*variable\.ttf/)
})

test('a font has a subset for each of its scripts, with the axes and features of its style', async () => {
  const heading = style({ family: 'Inter', weight: 550, axes: { SOFT: 100 }, features: { ss01: 1 } })
  const { rules, subsets, families } = await styleFaces(guide, [heading], { display: 'swap', hasEmphasis: true })
  assert.match(families(heading) ?? '', /^"Frame: Inter \{\\"SOFT\\":100\}", /)
  const [latin] = subsets
  assert.ok(latin)
  assert.deepEqual(latin.subset.axes, { wght: [550, 700] })
  assert.deepEqual(latin.subset.features, ['ss01', 'tnum'])
  assert.match(latin.address, /^\/acme\/type\/-\/fonts\/[0-9a-f]{16}\/variable-latin\.woff2$/)
  const rule = rules.find(each => each.includes(latin.address))
  assert.match(rule ?? '', /font-weight:550 700;.*font-display:swap;.*unicode-range:U\+20-7e,U\+a0-a1,/)
  assert.ok(rules.indexOf(rule ?? '') > 0, 'its rule comes after that of the font')
})

test('text on a page loads the fonts for its weight and style', async () => {
  const body = style({ family: 'IBM Plex Sans' })
  const { facesOf } = await styleFaces(guide, [body], { display: 'swap', hasEmphasis: true })
  const names = (values: Partial<TypeStyle>) => facesOf({ ...body, ...values }).map(({ file }) => file.path)
  assert.deepEqual(names({}), ['files/regular.woff2'])
  assert.deepEqual(names({ weight: 700 }), ['files/semibold.woff2'])
  assert.deepEqual(names({ style: 'italic' }), ['files/italic.woff2'])
})

test('sample letters in a variable font have the weight of their style', async () => {
  const face = await sampleFace(guide)
  assert.deepEqual([face?.file.path, face?.weight], ['files/variable.ttf', 650])
})
