import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import type { CharacterRange } from '#brand/fonts/characters.ts'
import { subsetFont, subsetWithHarfBuzz } from '#brand/fonts/subset-font.ts'
import { unpackFont } from '#brand/fonts/unpack-font.ts'
import { PACKAGE } from '#platform/base/own-files.ts'
import { patchLibrary } from './patch-library.ts'

/**
 * Makes the files of an editor that do not depend on a brand, keyed by path, from development packages. The same packages
 * give the same bytes.
 *
 * @throws if the library differs from the expected version
 */
export async function makeParts(): Promise<ReadonlyMap<string, Uint8Array>> {
  const library = readFileSync(LIBRARY, 'utf8')
  const { script, packages } = await bundleFormats()
  const encode = (text: string) => new TextEncoder().encode(text)
  return new Map([
    ['LICENSE', encode(licenses(packages))],
    ['sveltia-cms.js', encode(patchLibrary(library))],
    ['formats.js', encode(script)],
    ['fonts/LICENSE', encode(fontLicenses())],
    ['fonts/icons.woff2', await iconFont(library)],
    ...(await textFonts()),
  ])
}

/** The classic script, which the package does not export. */
const LIBRARY = new URL('node_modules/@sveltia/cms/dist/sveltia-cms.js', PACKAGE)

/** A script, and the packages whose code it contains, sorted by name. */
type Bundle = { script: string; packages: readonly string[] }

/** Bundles our file formats into a classic script, which registers them with the library. */
export async function bundleFormats(): Promise<Bundle> {
  const bundle = await rolldown({
    input: fileURLToPath(new URL('../formats/register.ts', import.meta.url)),
    platform: 'browser',
  })
  const { output } = await bundle.generate({
    format: 'iife',
    name: 'housestyleFormats',
    minify: true,
    exports: 'named',
  })
  await bundle.close()
  const [{ code, moduleIds }] = output
  const packages = moduleIds.flatMap(id => /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? [])
  return { script: code, packages: [...new Set(packages)].sort() }
}

/** The licenses of the scripts: of the library, and of the packages in our formats. */
export function licenses(packages: readonly string[]): string {
  return licensesText([
    ['sveltia-cms.js: Sveltia CMS, with changes', '@sveltia/cms'],
    ...packages.map((name): License => [`formats.js: contains ${name}`, name]),
  ])
}

/** The licenses of the fonts, of which the folder contains parts. */
export function fontLicenses(): string {
  return licensesText([
    ['text.woff2 and text-extended.woff2: parts of Source Sans 3', '@fontsource-variable/source-sans-3'],
    ['code.woff2: a part of Noto Mono', '@fontsource/noto-mono'],
    ['icons.woff2: a part of Material Symbols Outlined', '@material-symbols/font-300'],
  ])
}

/** A heading, and the package whose license follows. */
type License = readonly [heading: string, name: string]

function licensesText(rows: readonly License[]): string {
  return rows.map(([heading, name]) => `${heading}\n${'='.repeat(heading.length)}\n\n${licenseOf(name)}\n`).join('\n\n')
}

function licenseOf(name: string): string {
  const folder = fileURLToPath(new URL(`node_modules/${name}/`, PACKAGE))
  const [file] = globSync('LICEN[SC]E*', { cwd: folder })
  if (file === undefined) throw new Error(`${name} has no license file: replace it`)
  return readFileSync(join(folder, file), 'utf8').trim()
}

/** Makes the fonts of the library's text: Source Sans 3 in all weights, and Noto Mono, with the letters of Europe's Latin alphabets. */
export function textFonts(): Promise<[path: string, bytes: Uint8Array][]> {
  return Promise.all(
    FONTS.map(async ({ path, file, characters }) => {
      const bytes = readFileSync(new URL(file))
      const subset = await subsetFont(bytes, { characters, axes: {}, features: [] })
      if (!subset.ok) throw new Error(`cannot make ${path} from ${file}: ${subset.problem}`)
      return [path, subset.value]
    }),
  )
}

/** Latin-1, the letters of French, and the punctuation, arrows and signs of the interface. */
const LATIN = [
  [0x20, 0x7e],
  [0xa0, 0xff],
  [0x131, 0x131],
  [0x152, 0x153],
  [0x2000, 0x206f],
  [0x20ac, 0x20ac],
  [0x2122, 0x2122],
  [0x2190, 0x2199],
  [0x2212, 0x2215],
] as const satisfies readonly CharacterRange[]

/** Latin Extended-A, and the letters of Romanian. */
const EXTENDED_LATIN = [
  [0x100, 0x17f],
  [0x218, 0x21b],
] as const satisfies readonly CharacterRange[]

const FONTS = [
  {
    path: 'fonts/text.woff2',
    file: import.meta.resolve('@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2'),
    characters: LATIN,
  },
  {
    path: 'fonts/text-extended.woff2',
    file: import.meta.resolve('@fontsource-variable/source-sans-3/files/source-sans-3-latin-ext-wght-normal.woff2'),
    characters: EXTENDED_LATIN,
  },
  {
    path: 'fonts/code.woff2',
    file: import.meta.resolve('@fontsource/noto-mono/files/noto-mono-latin-400-normal.woff2'),
    characters: [...LATIN, ...EXTENDED_LATIN],
  },
] as const

/**
 * Makes the font of the library's icons: Material Symbols in the weight that the library uses. It has an icon for each
 * word in the library that names one, since the library passes names around as strings, and for the collections.
 */
export async function iconFont(library: string): Promise<Uint8Array> {
  const unpacked = await unpackFont(readFileSync(new URL(FILE)))
  if (!unpacked.ok) throw new Error(`cannot make the icons from ${FILE}: ${unpacked.problem}`)
  const words = Array.from(library.matchAll(WORD), ([word]) => word)
  const icons = await iconsNamed([...new Set([...words, ...COLLECTION_ICONS])], unpacked.value)
  const { compress } = await import('woff2-encoder')
  return compress(subsetIcons(unpacked.value, [...icons.values()]))
}

/** The icons that the configuration gives to collections. */
export const COLLECTION_ICONS = ['article', 'palette', 'workspaces'] as const

const FILE = import.meta.resolve('@material-symbols/font-300/material-symbols-outlined.woff2')

/** A string, or the text of an element. */
const WORD = /(?<=[`"'>])[a-z][a-z0-9_]+(?=[`"'<])/g

/** The glyphs of the words that name an icon: the font replaces the letters by one glyph, its icon. */
async function iconsNamed(words: readonly string[], font: Uint8Array): Promise<Map<string, number>> {
  const hb = await import('harfbuzzjs')
  const shaper = new hb.Font(new hb.Face(new hb.Blob(font)))
  const buffer = new hb.Buffer()
  const icons = new Map<string, number>()
  for (const word of words) {
    buffer.reset()
    buffer.addText(word)
    buffer.guessSegmentProperties()
    hb.shape(shaper, buffer, [])
    const [glyph, ...others] = buffer.getGlyphInfos()
    if (glyph && glyph.codepoint !== MISSING_GLYPH && others.length === 0) icons.set(word, glyph.codepoint)
  }
  return icons
}

const MISSING_GLYPH = 0

/** Keeps these glyphs, the letters of names, and only the ligatures between them (hb-subset.h). */
function subsetIcons(font: Uint8Array, glyphs: readonly number[]): Uint8Array {
  const made = subsetWithHarfBuzz(font, (call, input, face) => {
    call('hb_subset_input_set_flags', input, NO_LAYOUT_CLOSURE)
    const letters = call('hb_subset_input_unicode_set', input)
    for (const letter of LETTERS) call('hb_set_add', letters, letter.charCodeAt(0))
    const icons = call('hb_subset_input_glyph_set', input)
    for (const glyph of glyphs) call('hb_set_add', icons, glyph)
    call('hb_subset_input_pin_all_axes_to_default', input, face)
  })
  if (!made) throw new Error(`HarfBuzz makes no subset of ${FILE}`)
  return made
}

/** HB_SUBSET_FLAGS_NO_LAYOUT_CLOSURE: otherwise the letters keep all icons. */
const NO_LAYOUT_CLOSURE = 0x200
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789_'
