import { slug } from '#brand/ids.ts'
import { CASINGS, FONT_STYLES } from '#brand/type-style.ts'
import { codePoint, fc, forAllIn } from '../../support/random.ts'
import type { Contents } from '../../support/temporary.ts'

/** Checks this many hostile brands; a soak run checks more. */
export async function forAnyBrand(
  runs: number,
  check: (brand: Contents) => Promise<void>,
  brands: fc.Arbitrary<Contents> = hostileBrand(),
): Promise<void> {
  await forAllIn(runs, [brands], check)
}

/**
 * The files of a brand with hostile strings. No string matches `unlike`, for programs that cannot read some characters;
 * the call explains why.
 */
export function hostileBrand(unlike = /(?!)/g): fc.Arbitrary<Contents> {
  const colors = fc.uniqueArray(colorOf(unlike), { selector: ({ id }) => id, maxLength: 12 })
  const types = fc.uniqueArray(typeOf(unlike), { selector: ({ id }) => id, maxLength: 12 })
  return fc.record({ name: hostileText(1000, unlike), colors, types }).map(({ name, colors, types }) => {
    const base = colors[0]?.id
    const related = colors.map((each, at) => (at === 0 ? each : { ...each, on: [base], tintOf: base }))
    const project = { name, visibility: 'public' }
    return {
      'project.yaml': asYaml(project),
      'styles/colors.yaml': asYaml(related),
      'styles/types.yaml': asYaml(types),
    }
  })
}

/** Strings with a meaning in some syntax. */
const PIECES: readonly string[] = [
  ...'\'"\\`$@!#&;:, {}0A%=\u2028\u2029\u202e\u200f\ufeff',
  ...'*/¦/*¦//¦--¦-->¦</style>¦<!--¦{{¦}}¦{a.b}¦#{1+1}'.split('¦'),
  '${',
  ...'{}¦@import "x"¦$value¦$ref¦#/a/b'.split('¦'),
  ...'__proto__¦constructor¦hasOwnProperty¦url(¦inherit¦= 1+1¦😀¦é¦红¦عربي'.split('¦'),
]

/** A string on one line as the folder accepts it, at most `maximum` characters long. */
function hostileText(maximum: number, unlike: RegExp): fc.Arbitrary<string> {
  const piece = fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: codePoint, maxLength: 5 }))
  const text = fc.oneof(
    { weight: 9, arbitrary: fc.array(piece, { minLength: 1, maxLength: 6 }).map(pieces => pieces.join('')) },
    { weight: 1, arbitrary: piece.map(each => each.repeat(maximum)) },
  )
  return text
    .map(each => each.replace(/[\p{Cc}\p{Cs}\p{Cn}]/gu, '').replace(unlike, ''))
    .map(each => [...each].slice(0, maximum).join('').trim())
    .map(each => (each === '' ? 'x' : each))
}

const IDS = [
  ...'constructor proto tostring red inherit transparent null true default value type size a a-letter a-size'.split(
    ' ',
  ),
  ...'prototype valueof class func import let a1 a-1 1-2 12 100 2 0 1e5 红-rot عربي é 𐐨 ابی-۱ ابی-۲ ابی۲'.split(' '),
  'x'.repeat(200),
]

const id = fc
  .oneof(fc.constantFrom(...IDS), fc.string({ unit: codePoint, maxLength: 8 }).map(slug))
  .filter(each => each !== '' && slug(each) === each)

/** A number in plain notation, as the folder accepts it. */
function hundredths(min: number, max: number): fc.Arbitrary<number> {
  return fc.integer({ min: min * 100, max: max * 100 }).map(number => number / 100)
}

const channel = fc.integer({ min: 0, max: 255 })
const percent = hundredths(0, 100)

/** Names of ink systems; the keys of a colour are not allowed. */
function inkSystem(unlike: RegExp): fc.Arbitrary<string> {
  const names = ['HKS', 'RAL', 'constructor', '__proto__', 'prototype', 'toString', 'hasOwnProperty', '$value', '0']
  return fc.oneof(fc.constantFrom(...names), hostileText(200, unlike))
}

function colorOf(unlike: RegExp) {
  return fc.record(
    {
      id,
      name: hostileText(1000, unlike),
      rgb: fc.tuple(channel, channel, channel),
      cmyk: fc.tuple(percent, percent, percent, percent),
      pms: hostileText(200, unlike),
      pms2: hostileText(200, unlike),
      ral: fc.constantFrom(5004, 9010),
      inks: fc.dictionary(inkSystem(unlike), hostileText(200, unlike), {
        minKeys: 1,
        maxKeys: 4,
        noNullPrototype: true,
      }),
      group: hostileText(200, unlike),
      use: hostileText(1000, unlike),
      proportion: fc.integer({ min: 0, max: 100 }),
    },
    { requiredKeys: ['id', 'name', 'rgb'], noNullPrototype: true },
  )
}

function typeOf(unlike: RegExp) {
  const tag = fc.oneof(fc.constantFrom('tnum', 'a"\\}', '#{1}', '</a>'), fc.stringMatching(/^[ -~]{4}$/))
  return fc.record(
    {
      id,
      name: hostileText(1000, unlike),
      family: hostileText(200, unlike),
      size: hundredths(1, 4000),
      leading: hundredths(1, 4),
      tracking: hundredths(-1, 1),
      casing: fc.constantFrom(...CASINGS),
      spacing: hundredths(0, 4),
      responsive: fc.boolean(),
      features: fc.dictionary(tag, fc.integer({ min: 0, max: 99 }), { maxKeys: 3, noNullPrototype: true }),
      weight: fc.integer({ min: 1, max: 1000 }),
      style: fc.constantFrom(...FONT_STYLES),
      fallback: fc.array(hostileText(100, unlike), { minLength: 1, maxLength: 3 }),
      sample: hostileText(1000, unlike),
      axes: fc.dictionary(tag, hundredths(-100, 1000), { maxKeys: 3, noNullPrototype: true }),
    },
    { requiredKeys: ['id', 'name'], noNullPrototype: true },
  )
}

/** JSON is valid YAML, and escapes characters that YAML cannot contain. */
function asYaml(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\ufeff\u2028\u2029]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
