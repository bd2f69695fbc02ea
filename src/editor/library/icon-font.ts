import { readFileSync } from 'node:fs'
import { unpackFont } from '../../fonts/unpack-font.ts'

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
  const wasm = readFileSync(new URL(import.meta.resolve('harfbuzzjs/dist/harfbuzz-subset.wasm')))
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(wasm))
  const { memory } = exports
  if (!(memory instanceof WebAssembly.Memory)) throw new Error('HarfBuzz has no memory')
  const call = (name: string, ...values: readonly number[]): number => {
    const run = exports[name]
    if (typeof run !== 'function') throw new Error(`HarfBuzz has no function ${name}`)
    return Number(run(...values))
  }
  call('_initialize')
  const address = call('malloc', font.length)
  new Uint8Array(memory.buffer).set(font, address)
  const face = call('hb_face_create', call('hb_blob_create', address, font.length, READ_ONLY, 0, 0), 0)
  const input = call('hb_subset_input_create_or_fail')
  call('hb_subset_input_set_flags', input, NO_LAYOUT_CLOSURE)
  const letters = call('hb_subset_input_unicode_set', input)
  for (const letter of LETTERS) call('hb_set_add', letters, letter.charCodeAt(0))
  const icons = call('hb_subset_input_glyph_set', input)
  for (const glyph of glyphs) call('hb_set_add', icons, glyph)
  call('hb_subset_input_pin_all_axes_to_default', input, face)
  const made = call('hb_subset_or_fail', face, input)
  if (made === 0) throw new Error(`HarfBuzz makes no subset of ${FILE}`)
  const blob = call('hb_face_reference_blob', made)
  return new Uint8Array(memory.buffer, call('hb_blob_get_data', blob, 0), call('hb_blob_get_length', blob)).slice()
}

/** HB_MEMORY_MODE_READONLY */
const READ_ONLY = 1
/** HB_SUBSET_FLAGS_NO_LAYOUT_CLOSURE: otherwise the letters keep all icons. */
const NO_LAYOUT_CLOSURE = 0x200
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789_'
