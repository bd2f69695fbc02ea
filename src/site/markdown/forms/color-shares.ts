import type { Element } from 'hast'
import { element } from '../../cards/element.ts'
import type { LinkTarget } from '../../cards/link-target.ts'
import { proportionStrip } from '../../cards/proportion-strip.ts'
import type { Words } from '../../words/words.ts'
import type { LoneLink } from './lone-links.ts'

/** Links to colours with their shares of a surface, as a strip. */
export function shareStrip(
  words: Words,
  targetLinks: readonly { link: LoneLink; to: LinkTarget | { kind: 'external' } }[],
): Element {
  const shares = targetLinks.flatMap(({ link, to }) => {
    const proportion = percentOf(link)
    if (to.kind !== 'color' || proportion === undefined) return []
    const note = link.title ? ` – ${link.title}` : ''
    const text = { type: 'text', value: ` ${words.share(proportion)}${note}` } as const
    return [
      {
        hex: to.color.hex,
        letters: to.lettersHex,
        proportion,
        line: [element('a', { href: to.href }, link.text), text],
      },
    ]
  })
  return proportionStrip(words, shares)
}

/** The percentage after a link. */
export function percentOf({ rest }: LoneLink): number | undefined {
  const [, number] = /^[:–—(]?\s*(\d{1,3}(?:[.,]\d{1,3})?)\s*%\)?$/.exec(rest) ?? []
  return number === undefined ? undefined : Number(number.replace(',', '.'))
}
