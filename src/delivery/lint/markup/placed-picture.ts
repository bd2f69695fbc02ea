import { numberOf, PX } from '../css/type.ts'
import type { PictureUse } from '../use.ts'
import type { AttributeReader } from './words.ts'

/** The picture of an `<img>`, with its size if its attributes and its own style decide it alone. */
export function placedPicture(attributeText: AttributeReader): PictureUse | undefined {
  const [address, css] = [attributeText('src').trim(), attributeText('style').toLowerCase()]
  if (address === '') return undefined
  const style = new Map(css.split(';').map(each => [each.split(':')[0]?.trim(), each.split(':')[1]?.trim()]))
  const [width, height] = (['width', 'height'] as const).map(side => {
    const size = style.get(side) ?? attributeText(side).trim()
    return size === '' || size === 'auto' ? 0 : numberOf(size, { '': 1, ...PX })
  })
  if (width === undefined || height === undefined || width + height === 0 || UNDECIDED.test(css))
    return { kind: 'picture', address }
  const fits = /object-fit\s*:(?!\s*fill)/.test(css)
  return { kind: 'picture', address, placement: { fits, ...(width && { width }), ...(height && { height }) } }
}

/** Other properties decide the size, too. */
const UNDECIDED = /(?:min|max)-(?:width|height)|aspect-ratio|zoom|transform|scale\s*:|cover|!important/
