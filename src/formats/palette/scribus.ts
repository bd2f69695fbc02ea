import type { FlatXml, XmlItem } from '../xml/flat-xml.ts'
import type { Swatch } from './ase.ts'

/** The swatches of a palette of Scribus, of versions before and after 1.5, and its other elements; undefined for other XML. */
export function readScribus({ root, items }: FlatXml): { swatches: Swatch[]; others: XmlItem[] } | undefined {
  if (root !== 'SCRIBUSCOLORS') return undefined
  const { colors = [], others = [] } = Object.groupBy(items, ({ name }) => (name === 'COLOR' ? 'colors' : 'others'))
  return { swatches: colors.flatMap(swatchesOf), others }
}

/** The swatch of a colour in each model that has values. */
function swatchesOf({ attributes }: XmlItem): Swatch[] {
  const { NAME: name = '', Spot: spot, SPACE: space = '' } = attributes
  return MODELS.filter(({ model }) => model === space.toUpperCase() || attributes[model] !== undefined).map(
    ({ model, maxima, places }) => {
      const bytes = (attributes[model] ?? '').match(/[\da-f]{2}/gi)
      const values = bytes
        ? bytes.map(byte => Number((Number.parseInt(byte, 16) / 255).toFixed(places)))
        : Array.from(model, (channel, at) => Number(attributes[channel]) / (maxima[at] ?? 1))
      return { name, group: '', model, values, isSpot: spot === '1' }
    },
  )
}

/** The models with the value of each channel that a swatch has as 1, and the places of values that were stored in a byte. */
const MODELS = [
  { model: 'RGB', maxima: [255, 255, 255], places: 6 },
  { model: 'CMYK', maxima: [100, 100, 100, 100], places: 2 },
  { model: 'LAB', maxima: [100, 1, 1], places: 6 },
] as const
