import { history, historyKeymap, standardKeymap } from '@codemirror/commands'
import { pasteURLAsLink } from '@codemirror/lang-markdown'
import { ChangeSet, type EditorState, type Extension } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { addedPictures } from './added-pictures.ts'
import { type Labels, textKeys, toolbar } from './commands.ts'
import { dropSaved, keepForm } from './kept-form.ts'
import { startPreview } from './preview.ts'
import { focusProblem, follow, sayWhenLong, startSaving } from './saving.ts'
import { type Pictures, stringsIn } from './shown.ts'
import { signs } from './signs.ts'
import { isLarge, redraw, syntax } from './syntax.ts'

/* Keeps what people type in forms. Replaces the text area of a page's Markdown by an editor of the same form. */
addEventListener('DOMContentLoaded', () => {
  const article = document.querySelector<HTMLElement>('article[data-words]')
  const labels = Object.fromEntries(stringsIn(article?.dataset.words))
  const form = article?.querySelector<HTMLFormElement>('form:has(.field)')
  const area = form?.querySelector<HTMLTextAreaElement>('textarea[data-source]')
  dropSaved()
  if (form && area) start(form, area, labels)
  else if (form) keepForm(form, labels)
  if (form) sayWhenLong(form, labels)
  focusProblem()
  void follow()
})

/** Starts the editor, the preview and the saving of a page's form. */
function start(form: HTMLFormElement, area: HTMLTextAreaElement, labels: Labels): void {
  const pictures: Pictures = stringsIn(area.dataset.pictures)
  const view = editorView(form, area, labels, pictures)
  const read = () => view.state.doc.toString()
  const merge = (before: string, after: string) => change(view, before, after)
  form.addEventListener('formdata', ({ formData }) => formData.set(area.name, read()))
  const forget = keepForm(form, labels)
  startPreview(form, labels, isLarge(read()), () => headingsBelow(view.state))
  startSaving(form, { read, merge, forget }, labels, page => {
    const shown = page.querySelector<HTMLElement>('[data-source]')?.dataset.pictures
    for (const [path, address] of stringsIn(shown)) pictures.set(path, address)
    view.dispatch({ effects: redraw.of(view) })
  })
  if (window.visualViewport) followKeyboard(window.visualViewport)
}

/** Replaces a text area by the editor and its toolbar, which is only hidden. */
function editorView(form: HTMLFormElement, area: HTMLTextAreaElement, labels: Labels, pictures: Pictures): EditorView {
  // A page with only its title gets a line to write on.
  const doc = area.value.replace(/^#.*$/, '$&\n\n')
  const view = new EditorView({ doc, extensions: extensionsFor(form, area, labels, pictures) })
  // While the pointer is pressed, lines stay unchanged, so that they do not move under it.
  addEventListener('pointerup', () => view.hasFocus && view.dispatch({ effects: redraw.of(view) }))
  area.labels[0]?.addEventListener('click', () => view.focus())
  area.hidden = true
  area.before(toolbar(view, labels), view.dom)
  // With the other buttons, above the keyboard of a phone.
  const actions = matchMedia('(width < 40rem), (pointer: coarse)').matches && form.querySelector('.actions')
  if (actions) actions.prepend(...form.querySelectorAll('.toolbar'))
  return view
}

function extensionsFor(
  form: HTMLFormElement,
  area: HTMLTextAreaElement,
  labels: Labels,
  pictures: Pictures,
): readonly Extension[] {
  const save = () => {
    form.querySelector<HTMLButtonElement>('button[value="save"]')?.click()
    return true
  }
  return [
    EditorView.cspNonce.of(area.dataset.nonce ?? ''),
    EditorView.lineWrapping,
    EditorView.scrollMargins.of(() => coveredBy(form)),
    EditorView.perLineTextDirection.of(true),
    // The browser helps with spelling, as in the text area.
    EditorView.contentAttributes.of({
      lang: area.lang,
      spellcheck: 'true',
      autocorrect: 'on',
      autocapitalize: 'sentences',
      'aria-label': area.labels[0]?.textContent ?? '',
    }),
    EditorView.updateListener.of(({ docChanged }) => docChanged && form.dispatchEvent(new Event('input'))),
    syntax(area.value),
    signs(labels, pictures),
    history(),
    textKeys(save),
    pasteURLAsLink,
    addedPictures(form, labels, pictures),
    keymap.of([...standardKeymap, ...historyKeymap]),
  ]
}

/** The heights of the bars that cover the text at the edges of the window: the header, the toolbar and the buttons. */
function coveredBy(form: HTMLFormElement): { top: number; bottom: number } {
  const heightOf = (bar: HTMLElement | null | undefined) => bar?.offsetHeight ?? 0
  const header = document.querySelector<HTMLElement>('body > .top')
  const actions = form.querySelector<HTMLElement>('.actions')
  const toolbar = form.querySelector<HTMLElement>(':not(.actions) > .toolbar')
  return {
    top: heightOf(header) + heightOf(toolbar) + CARET_SPACE,
    bottom: heightOf(actions) + CARET_SPACE,
  }
}

/** Between the line of the cursor and a bar, in pixels. */
const CARET_SPACE = 8

/** Applies the change between two versions to the current text. The cursor keeps its place. */
function change(view: EditorView, before: string, after: string): void {
  // Both changes begin at the same text. `map` moves those of others to where their places are after one's own.
  const others = changeBetween(before, after)
  const own = changeBetween(before, view.state.doc.toString())
  view.dispatch({ changes: others.map(own) })
}

/** One change, without the common begin and end of both versions. */
function changeBetween(before: string, after: string): ChangeSet {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  let end = 0
  while (start < shorter && before[start] === after[start]) start++
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const insert = after.slice(start, after.length - end)
  return ChangeSet.of({ from: start, to: before.length - end, insert }, before.length)
}

/** How many headings are below the cursor. */
function headingsBelow({ doc, selection }: EditorState): number {
  const below = doc.sliceString(doc.lineAt(selection.main.head).to)
  return below.match(/^ {0,3}#{1,6}[ \t]/gm)?.length ?? 0
}

/** The height of a keyboard that covers the page, for bars that lie above it. */
function followKeyboard(shown: VisualViewport): void {
  const measure = () => {
    const covered = shown.scale === 1 ? Math.max(0, innerHeight - shown.height - shown.offsetTop) : 0
    document.documentElement.style.setProperty('--keyboard', `${covered}px`)
  }
  shown.addEventListener('resize', measure)
  shown.addEventListener('scroll', measure)
}
