import { parseCommonMark } from '#formats/markdown/markdown-tree.ts'
import { image } from '../markup.ts'

type Picture = { src: string; alt: string; caption: string }

/** A picture with a caption, which is a title if it is plain and the picture the guide's own: others are links there. */
export function picture(src: string, alt: string, caption = ''): string {
  const shown = alt || caption
  const captions = [caption].filter(text => text !== '')
  const isTitle = !isElsewhere(src) && !/[<>*`[\]]/.test(caption)
  const titles = isTitle ? captions.map(text => ` "${text.replaceAll('"', '\\"')}"`) : []
  const below = isTitle ? [] : captions.filter(text => text !== shown).map(text => `<br>${text}`)
  return `![${shown.replace(/[[\]]/g, '\\$&')}](${destination(src)}${titles.join('')})${below.join('')}`
}

/** Whether a picture is on another site. */
export function isElsewhere(src: string): boolean {
  return SITE_STARTS.some(start => src.startsWith(start))
}

const SITE_STARTS = ['http://', 'https://', '//']

/** An address as Markdown writes it. */
export function destination(address: string): string {
  return /[\s()<>]/.test(address) ? `<${address.replace(/[<>\n]/g, encodeURIComponent)}>` : address
}

/** Reads a text that is one picture, with its caption: its title, and plain words after it. */
export function readPicture(text: string): Picture | undefined {
  const blocks = text.startsWith('![') ? parseCommonMark(text).children : []
  const [shown = NO_WORDS, after = NO_WORDS, ...others] = blocks.flatMap(block =>
    block.type === 'paragraph' ? block.children : [],
  )
  const isAlone = blocks.length === 1 && others.length === 0
  if (!isAlone || shown.type !== 'image' || after.type !== 'text') return undefined
  const caption = [shown.title, after.value.trim()].filter(Boolean).join(' ')
  return { src: shown.url, alt: `${shown.alt}`, caption }
}

const NO_WORDS = { type: 'text', value: '' } as const

/** A text in which blocks that are pictures are HTML. */
export function picturesAsHtml(text: string): string {
  const blocks = text.split('\n\n').map(block => {
    const found = readPicture(block)
    return found ? image(found.src, found.alt, {}) : block
  })
  return blocks.join('\n\n')
}
