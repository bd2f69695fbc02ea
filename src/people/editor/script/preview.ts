import type { Labels } from './commands.ts'

/** Windows that show the preview next to the text; in others, it has its own tab. */
const WIDE = '(width >= 68.75rem)'
const DELAY_MS = 300
/** The height of a page's header, in pixels. */
const HEADER = 80

/**
 * Shows the page with the typed text next to the form, at the heading above the cursor, whose id `place` returns; a large
 * text only on demand. Returns the function to call after each change.
 */
export function startPreview(form: HTMLFormElement, labels: Labels, isLarge: boolean, place: () => string): () => void {
  const button = form.querySelector<HTMLButtonElement>('button[value="preview"]')
  if (!button) return () => {}
  const isWide = matchMedia(WIDE)
  const pane = Object.assign(document.createElement('aside'), { className: 'preview', ariaLabel: labels.preview ?? '' })
  button.formNoValidate = true
  let timer = 0
  let isWanted = !isLarge
  const refresh = () => pane.isConnected && exchange(pane, place(), form, button)
  const show = () => {
    const isOpen = isWanted && isWide.matches
    form.parentElement?.classList.toggle('previewed', isOpen)
    button.ariaExpanded = isWide.matches ? `${isOpen}` : null
    if (!isOpen) return pane.remove()
    form.parentElement?.after(pane)
    refresh()
  }
  button.addEventListener('click', event => {
    if (!event.isTrusted || !isWide.matches) return
    event.preventDefault()
    isWanted = !isWanted
    show()
  })
  isWide.addEventListener('change', show)
  show()
  return () => {
    clearTimeout(timer)
    timer = setTimeout(refresh, DELAY_MS)
  }
}

/**
 * Fills a new frame by a form, so that the history of the tab has no entry for it, behind the current one until it is
 * loaded. Its pages have the origin of the service, as fonts and private pictures need it, but run no scripts.
 */
function exchange(pane: HTMLElement, id: string, form: HTMLFormElement, button: HTMLButtonElement): void {
  const [current, ...stale] = pane.querySelectorAll('iframe')
  for (const other of stale) other.remove()
  const name = `preview${++count}`
  const frame = Object.assign(document.createElement('iframe'), { name, title: pane.ariaLabel ?? '' })
  frame.setAttribute('sandbox', 'allow-same-origin')
  // Before the listener: an empty frame is loaded at once.
  pane.append(frame)
  frame.addEventListener('load', () => {
    const page = frame.contentDocument
    const heading = id === pane.dataset.id ? null : page?.getElementById(id)
    const kept = current?.contentDocument?.scrollingElement?.scrollTop ?? 0
    const top = heading ? heading.getBoundingClientRect().top - HEADER : kept
    page?.scrollingElement?.scrollTo({ top, behavior: 'instant' })
    pane.dataset.id = id
    current?.remove()
  })
  const { formTarget } = button
  button.formTarget = name
  form.requestSubmit(button)
  button.formTarget = formTarget
}

/** Browsers keep the first name of a frame, so each has its own. */
let count = 0
