import type { Labels } from './commands.ts'
import { bodyOf, request } from './saving.ts'

/** Windows that show the preview next to the text; in others, it has its own tab. */
const WIDE = '(width >= 68.75rem)'
const DELAY_MS = 300
/** The height of a page's header, in pixels. */
const HEADER = 80

/**
 * Shows the page with the typed text next to the form, at the heading above the cursor, which `place` counts from the end;
 * a large text only on demand.
 */
export function startPreview(form: HTMLFormElement, labels: Labels, isLarge: boolean, place: () => number): void {
  const button = form.querySelector<HTMLButtonElement>('button[value="preview"]')
  if (!button) return
  const isWide = matchMedia(WIDE)
  const pane = Object.assign(document.createElement('aside'), { className: 'preview', ariaLabel: labels.preview })
  const frame = frameIn(pane)
  button.formNoValidate = true
  let timer = 0
  const refresh = refresher(form, button, frame, { place, isShown: () => pane.isConnected && isWide.matches })
  const toggle = () => {
    if (pane.isConnected) pane.remove()
    else form.parentElement?.after(pane)
    button.ariaExpanded = `${pane.isConnected}`
    void refresh()
  }
  button.addEventListener('click', event => {
    if (!isWide.matches) return
    event.preventDefault()
    toggle()
  })
  isWide.addEventListener('change', refresh)
  form.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(refresh, DELAY_MS)
  })
  if (!isLarge) toggle()
}

/** Makes the function that shows the typed text in a frame, as long as it is shown. */
function refresher(
  form: HTMLFormElement,
  button: HTMLButtonElement,
  frame: HTMLIFrameElement,
  { place, isShown }: { place: () => number; isShown: () => boolean },
): () => Promise<void> {
  /** The number of the latest request: the reply to an earlier one is ignored. */
  let latest = 0
  let shownPlace = -1
  return async () => {
    latest += 1
    const own = latest
    if (!isShown()) return
    const from = place()
    const body = bodyOf(form, button)
    body.delete('pictures')
    const reply = await request(form.action, { method: 'POST', body })
    if (!reply?.isOk || own !== latest) return
    show(frame, reply.page)
    // The page scrolls only if the cursor is in another section.
    if (from !== shownPlace) scrollToHeading(frame, from)
    shownPlace = from
  }
}

/** Adds a frame whose pages have the origin of the service, as fonts and private pictures need it, but run no scripts. */
function frameIn(pane: HTMLElement): HTMLIFrameElement {
  const frame = Object.assign(document.createElement('iframe'), { title: pane.ariaLabel })
  frame.setAttribute('sandbox', 'allow-same-origin')
  pane.append(frame)
  return frame
}

/** Scrolls to the heading that has so many others below it: with 0, the last one. */
function scrollToHeading({ contentDocument, contentWindow }: HTMLIFrameElement, below: number): void {
  const headings = [...(contentDocument?.querySelectorAll('main :is(h1, h2, h3, h4, h5, h6)[id]') ?? [])]
  const heading = headings.at(-1 - below)
  if (heading) contentWindow?.scrollBy({ top: heading.getBoundingClientRect().top - HEADER, behavior: 'instant' })
}

/** Exchanges what a frame shows. A page with the same head stays where it is scrolled. */
function show(frame: HTMLIFrameElement, page: Document): void {
  const shown = frame.contentDocument
  if (shown?.head.innerHTML === page.head.innerHTML) shown.body.replaceWith(page.body)
  else frame.srcdoc = `<!doctype html>${page.documentElement.outerHTML}`
}
