import { anyOf, wordsIn } from '#platform/base/text.ts'
import { numberOf, PX } from '../css/type.ts'
import type { PictureUse } from '../use.ts'
import type { AttributeReader } from './words.ts'

/** The picture of an `<img>`, with its size if its attributes and its own style decide it alone. */
export function placedPicture(attributeText: AttributeReader): PictureUse | undefined {
  const address = attributeText('src').trim()
  const css = attributeText('style').toLowerCase()
  if (address === '') return undefined
  const style = new Map(
    css.split(';').map(each => {
      const [name, value] = each.split(':').map(part => part.trim())
      return [name, value]
    }),
  )
  // 0 for a side that is absent, automatic, or in a unit that depends on the page: then, it follows from the other.
  const [width = 0, height = 0] = ['width', 'height'].map(side => {
    const size = style.get(side) ?? attributeText(side).trim()
    return NO_SIZES.has(size) ? 0 : Number(numberOf(size, { '': 1, ...PX }))
  })
  if (!(width + height > 0) || UNDECIDED.test(css)) return { kind: 'picture', address }
  const fits = /object-fit\s*:(?!\s*fill)/.test(css)
  return { kind: 'picture', address, placement: { fits, ...(width && { width }), ...(height && { height }) } }
}

const NO_SIZES: ReadonlySet<string> = new Set(['', 'auto'])

/** Other properties decide the size, too. */
const UNDECIDED = new RegExp(
  `scale\\s*:|${anyOf(
    wordsIn('min-width, max-width, min-height, max-height, aspect-ratio, zoom, transform, cover, !important'),
  )}`,
)
