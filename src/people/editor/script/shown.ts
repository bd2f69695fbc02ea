import { WidgetType } from '@codemirror/view'

/** Pictures keyed by path as the text has it: the addresses of stored ones, and the pixels of those just added. */
export type Pictures = Map<string, string | ImageBitmap>

/** The values of an object in JSON, as strings. */
export function stringsIn(json = '{}'): Map<string, string> {
  return new Map(Object.entries(JSON.parse(json)).map(([key, value]) => [key, `${value}`]))
}

/** The element of the picture that a link, a picture of Markdown or an `img` element shows, if it is known. */
export function pictureOf(text: string, pictures: Pictures): (() => HTMLElement) | undefined {
  const [, description = '', target = '', source = ''] = PICTURE.exec(text.trim()) ?? []
  const picture = pictures.get((target || source).replace(/[?#].*$/s, ''))
  const alt = source === '' ? description : (/\balt="([^"]*)"/.exec(text)?.[1] ?? '')
  if (typeof picture === 'string') return () => Object.assign(document.createElement('img'), { src: picture, alt })
  return picture && (() => canvasOf(picture, alt))
}

/** `![Text](path "title")`, `[Text](path)` or `<img alt="" src="path">`. */
const PICTURE = /^(?:!?\[([^\]]*)\]\(<?([^\s<>)]+)>?(?:\s[^)]*)?\)|<img\s(?:(?!\bsrc=")[^>])*\bsrc="([^"]+)"[^>]*>)$/

/** A picture as a canvas, because the policy of the page allows no addresses of local files. */
function canvasOf(pixels: ImageBitmap, ariaLabel: string): HTMLElement {
  const { width, height } = pixels
  const canvas = Object.assign(document.createElement('canvas'), { width, height, role: 'img', ariaLabel })
  canvas.getContext('2d')?.drawImage(pixels, 0, 0)
  return canvas
}

/**
 * A part of the text as readers see it: an element that the editor shows instead. Two with the same class and content are
 * equal, so that the editor keeps the element.
 */
export class Shown extends WidgetType {
  readonly key: string
  override readonly toDOM: () => HTMLElement
  constructor(className: string, content: string, fill: () => Node | string = () => content) {
    super()
    this.key = `${className} ${content}`
    this.toDOM = () => {
      const element = Object.assign(document.createElement('span'), { className })
      element.append(fill())
      return element
    }
  }
  override eq(other: WidgetType): boolean {
    return other instanceof Shown && other.key === this.key
  }
  /** Clicks put the cursor into the text. */
  override ignoreEvent(): boolean {
    return false
  }
}
