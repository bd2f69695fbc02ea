import { type EditorView, WidgetType } from '@codemirror/view'

/** The addresses of pictures, keyed by path as the text has it. */
export type Pictures = Map<string, string>

type Picture = { address: string; alt: string }

/** The picture that a link, a picture of Markdown or an `img` element shows, if its address is known. */
export function pictureOf(text: string, pictures: Pictures): Picture | undefined {
  const [, alt = '', target = '', source = ''] = PICTURE.exec(text.trim()) ?? []
  const address = pictures.get((target || source).replace(/[?#].*$/, ''))
  if (address === undefined) return undefined
  return { address, alt: source === '' ? alt : (/\balt="([^"]*)"/.exec(text)?.[1] ?? '') }
}

const PICTURE = /^(?:!?\[([^\]]*)\]\(<?([^\s<>)]+)>?(?:\s[^)]*)?\)|<img\s[^>]*?\bsrc="([^"]+)"[^>]*>)$/

export function imageOf({ address, alt }: Picture, view: EditorView): HTMLElement {
  const image = Object.assign(document.createElement('img'), { src: address, alt })
  image.addEventListener('load', () => view.requestMeasure())
  return image
}

/** Makes an element that replaces a part of the text on the screen. Those of equal content are the same. */
export function shownAs(
  name: string,
  className: string,
  content: string,
  fill = (element: HTMLElement, _view: EditorView): void => element.append(content),
): WidgetType {
  return new Shown(`${className} ${content}`, view => {
    const element = document.createElement(name)
    element.className = className
    fill(element, view)
    return element
  })
}

class Shown extends WidgetType {
  readonly key: string
  override readonly toDOM: (view: EditorView) => HTMLElement
  constructor(key: string, toDOM: (view: EditorView) => HTMLElement) {
    super()
    this.key = key
    this.toDOM = toDOM
  }
  override eq(other: WidgetType): boolean {
    return other instanceof Shown && other.key === this.key
  }
  /** Clicks put the cursor into the text. */
  override ignoreEvent(): boolean {
    return false
  }
}
