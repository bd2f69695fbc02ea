import { groupsOf } from '#platform/base/text.ts'
import { image } from '../markup.ts'

/** A picture with a caption, which is a title if it is plain and the picture the guide's own: others are links there. */
export function picture(src: string, alt: string, caption: string): string {
  const isPlain = !/[<>*`[\]]/.test(caption)
  const shown = alt || (isPlain ? caption : '')
  const [title, after] = isPlain && !isElsewhere(src) ? [caption, shown] : ['', caption]
  const titled = title && ` "${title.replaceAll('"', '\\"')}"`
  const below = after === shown ? '' : after && `<br>${after}`
  return `![${shown.replace(/[[\]]/g, '\\$&')}](${destination(src)}${titled})${below}`
}

/** Whether a picture is on another site. */
export function isElsewhere(src: string): boolean {
  return /^(?:https?:)?\/\//.test(src)
}

/** An address as Markdown writes it. */
export function destination(address: string): string {
  return /[\s()<>]/.test(address) ? `<${address.replace(/[<>\n]/g, encodeURIComponent)}>` : address
}

const PICTURE =
  /!\[(?<!!\[(?:[^\]\\]|\\.)*?!\[)((?:[^\]\\]|\\.)*)\]\((?:<([^<>]*)>|([^\s)]+))(?: "((?:[^"\\]|\\.)*)")?\)/
const ONE_PICTURE = new RegExp(`^${PICTURE.source}(?:\\s+([^\\n*_\`[\\]<>]+))?$`)

/** Reads a text that is one picture, with its caption, which may be a line after it. */
export function readPicture(text: string): { src: string; alt: string; caption: string } | undefined {
  const [found, alt = '', long, short = '', title = '', after = ''] = groupsOf(ONE_PICTURE, text)
  if (found === undefined) return undefined
  const caption = [title.replaceAll('\\"', '"'), after].filter(part => part !== '').join(' ')
  return { src: long ?? short, alt: alt.replace(/\\([[\]])/g, '$1'), caption }
}

/** A text whose first picture is HTML. */
export function pictureAsHtml(text: string): string {
  return text.replace(PICTURE, (_, alt, long, short) => image(long ?? short, alt, {}))
}
