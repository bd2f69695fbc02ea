import { readFileSync } from 'node:fs'
import { lazy } from '#platform/base/object.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { type CharacterRange, codePoints } from './characters.ts'
import { unpackFont } from './unpack-font.ts'

/** The parts of a font that a subset keeps. */
export type Subset = {
  characters: readonly CharacterRange[]
  /** The values of axes, in a range or one; an axis that is not listed stays whole. */
  axes: Readonly<Record<string, readonly [min: number, max: number]>>
  /** More OpenType features to keep; the usual ones are always kept. */
  features: readonly string[]
}

/**
 * Makes a subset of a font as WOFF2. It looks the same as the font in these characters, axes and features, including
 * kerning, ligatures and hinting. Call it in a sandboxed process: damaged bytes may make it crash or take long.
 *
 * @throws if HarfBuzz or the encoder crashed
 */
export async function subsetFont(bytes: Buffer, subset: Subset): Promise<Result<Uint8Array, string>> {
  const unpacked = await unpackFont(bytes)
  if (!unpacked.ok) return unpacked
  const font = subsetWithHarfBuzz(unpacked.value, (call, input, face) => keepParts(subset, call, input, face))
  if (!font) return failed('it has no such subset')
  const { compress } = await import('woff2-encoder')
  return ok(await compress(font))
}

/** Calls a function of HarfBuzz (hb-subset.h). */
type Call = (name: string, ...values: readonly number[]) => number

/**
 * Makes a subset of an unpacked font; undefined if there is none. HarfBuzz runs as WebAssembly, in new memory for each
 * font, so that an exploit finds no data of others.
 *
 * @param choose sets what the subset keeps
 */
function subsetWithHarfBuzz(
  font: Uint8Array,
  choose: (call: Call, input: number, face: number) => void,
): Uint8Array | undefined {
  const { exports } = new WebAssembly.Instance(harfBuzz())
  const { memory } = exports
  if (!(memory instanceof WebAssembly.Memory)) throw new Error('HarfBuzz has no memory')
  const call: Call = (name, ...values) => {
    const run = exports[name]
    if (typeof run !== 'function') throw new Error(`HarfBuzz has no function ${name}`)
    return Number(run(...values))
  }
  // HarfBuzz gives objects as addresses in its memory, and 0 if it failed.
  call('_initialize')
  const address = call('malloc', font.length)
  if (address === 0) return undefined
  new Uint8Array(memory.buffer).set(font, address)
  const face = call('hb_face_create', call('hb_blob_create', address, font.length, READ_ONLY, 0, 0), 0)
  const input = call('hb_subset_input_create_or_fail')
  choose(call, input, face)
  const subset = call('hb_subset_or_fail', face, input)
  if (subset === 0) return undefined
  const blob = call('hb_face_reference_blob', subset)
  const length = call('hb_blob_get_length', blob)
  return length === 0 ? undefined : new Uint8Array(memory.buffer, call('hb_blob_get_data', blob, 0), length).slice()
}

/** Sets the characters, features and axes of a subset. */
function keepParts({ characters, axes, features }: Subset, call: Call, input: number, face: number): void {
  const keptCharacters = call('hb_subset_input_unicode_set', input)
  for (const code of codePoints(characters)) call('hb_set_add', keptCharacters, code)
  const keptFeatures = call('hb_subset_input_set', input, LAYOUT_FEATURES)
  for (const tag of UNUSED_FEATURES) call('hb_set_del', keptFeatures, tagNumber(tag))
  for (const tag of features) call('hb_set_add', keptFeatures, tagNumber(tag))
  for (const [tag, [min, max]] of Object.entries(axes)) {
    if (min === max) call('hb_subset_input_pin_axis_location', input, face, tagNumber(tag), min)
    else call('hb_subset_input_set_axis_range', input, face, tagNumber(tag), min, max, Number.NaN)
  }
}

/** HB_MEMORY_MODE_READONLY */
const READ_ONLY = 1
/** HB_SUBSET_SETS_LAYOUT_FEATURE_TAG */
const LAYOUT_FEATURES = 6
/** Features of fractions, which HarfBuzz keeps by default with all their digits. */
const UNUSED_FEATURES = ['frac', 'numr', 'dnom']

/** HB_TAG: four characters as one number. */
function tagNumber(tag: string): number {
  return Buffer.from(tag.padEnd(4), 'latin1').readUInt32BE(0)
}

const harfBuzz = lazy(
  () => new WebAssembly.Module(readFileSync(new URL(import.meta.resolve('harfbuzzjs/dist/harfbuzz-subset.wasm')))),
)
