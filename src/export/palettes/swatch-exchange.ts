import { ok } from '../../base/result.ts'
import { inSteps } from '../../base/steps.ts'
import type { Color } from '../../brand/color.ts'
import { inkKey, inkName } from '../../brand/styles/ink.ts'
import type { MakeExport } from '../format.ts'
import { describeOmission } from '../omissions.ts'
import { groupBlocks, type Swatch, swatchBlock, swatchFile } from './swatch-file.ts'

/**
 * An Adobe Swatch Exchange file with three groups: `screen` has every colour in RGB, `print` the colours with CMYK
 * values, and `spot` every ink once. All swatch names differ, since programs treat swatches with the same name as one.
 */
export const swatchExchange: MakeExport = async source => {
  const colors = await source.publication.content.colors()
  const inks = inksOf(colors)
  const unique = uniqueNames([...inks.values()].map(({ name }) => name))
  const printed = colors.filter(({ cmyk }) => cmyk !== undefined)
  const screen = await inSteps(colors, color => rgbSwatch(unique(color.name, color.id), color))
  const print = await inSteps(printed, color => anySwatch(unique(`${color.name} CMYK`, color.id), color))
  const spot = [...inks.values()].map(({ name, color }) => ({ ...anySwatch(name, color), isSpot: true }))
  const blocks: Uint8Array[] = []
  for (const [name, swatches] of Object.entries({ screen, print, spot }))
    if (swatches.length > 0) blocks.push(...groupBlocks(name, await inSteps(swatches, swatchBlock)))
  const renamed = colors.filter(({ name }, at) => screen[at]?.name !== name).map(({ id }) => id)
  const leftOut = describeOmission(
    'colour',
    renamed,
    'another swatch has the same name, so the colour id is added to it',
  )
  return ok({ files: [{ path: 'palette.ase', content: swatchFile(blocks) }], leftOut })
}

/** An ink, and the colour that represents it where the ink is not available. */
type Ink = { name: string; color: Color }

/**
 * Every ink once, under its first authored name, with its first colour that has CMYK values, otherwise with its first
 * colour.
 */
function inksOf(colors: readonly Color[]): ReadonlyMap<string, Ink> {
  const inks = new Map<string, Ink>()
  for (const color of colors)
    for (const reference of [color.pms, color.pms2]) {
      if (reference === undefined) continue
      const key = inkKey(reference)
      const known = inks.get(key)
      if (!known) inks.set(key, { name: inkName(reference), color })
      else if (known.color.cmyk === undefined && color.cmyk !== undefined) inks.set(key, { ...known, color })
    }
  return inks
}

/** Makes a name unique: a taken name gets the colour id, and a number if that is also taken. */
function uniqueNames(taken: readonly string[]): (name: string, id: string) => string {
  const used = new Set(taken)
  return (name, id) => {
    let free = name
    for (let number = 1; used.has(free); number++) free = number === 1 ? `${name} (${id})` : `${name} (${id} ${number})`
    used.add(free)
    return free
  }
}

/** The swatch of a colour in CMYK, or in RGB if it has no CMYK values: they are never computed. */
function anySwatch(name: string, color: Color): Swatch {
  if (color.cmyk === undefined) return rgbSwatch(name, color)
  return { name, model: 'CMYK', channels: color.cmyk.split(',').map(percent => Number(percent) / 100), isSpot: false }
}

function rgbSwatch(name: string, { rgb }: Color): Swatch {
  return { name, model: 'RGB ', channels: rgb.split(',').map(channel => Number(channel) / 255), isSpot: false }
}
