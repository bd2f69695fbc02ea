import { history, historyKeymap, standardKeymap } from '@codemirror/commands'
import { pasteURLAsLink } from '@codemirror/lang-markdown'
import { ChangeSet, type EditorState } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { addedPictures } from './added-pictures.ts'
import { type Labels, textKeys, toolbar } from './commands.ts'
import { keepText } from './kept-text.ts'
import { startPreview } from './preview.ts'
import { focusProblem, follow, startSaving } from './saving.ts'
import { type Pictures, stringsIn } from './shown.ts'
import { signs } from './signs.ts'
import { isLarge, redraw, syntax } from './syntax.ts'

/* Replaces the text area of a page's Markdown by an editor of the same form. */
addEventListener('DOMContentLoaded', () => {
  const area = document.querySelector<HTMLTextAreaElement>('form[data-edit] textarea[data-words]')
  if (area?.form) start(area.form, area)
  focusProblem()
  void follow()
})

function start(form: HTMLFormElement, area: HTMLTextAreaElement): void {
  const labels = Object.fromEntries(stringsIn(area.dataset.words))
  const pictures: Pictures = stringsIn(area.dataset.pictures)
  const view = editorView(form, area, labels, pictures)
  const read = () => view.state.doc.toString()
  const merge = (before: string, after: string) => change(view, before, after)
  form.addEventListener('formdata', ({ formData }) => formData.set(area.name, read()))
  const forget = keepText(form, labels, text => merge(read(), text))
  startPreview(form, labels, isLarge(read()), () => headingsBelow(view.state))
  startSaving(form, { read, merge, forget }, labels, page => {
    const shown = page.querySelector<HTMLElement>('[data-source]')?.dataset.pictures
    for (const [path, address] of stringsIn(shown)) pictures.set(path, address)
    view.dispatch({ effects: redraw.of(view) })
  })
  if (window.visualViewport) followKeyboard(window.visualViewport)
}

function editorView(form: HTMLFormElement, area: HTMLTextAreaElement, labels: Labels, pictures: Pictures): EditorView {
  const save = () => {
    form.querySelector<HTMLButtonElement>('button[value="save"]')?.click()
    return true
  }
  const view = new EditorView({
    // A page with only its title gets a line to write on.
    doc: area.value.replace(/^#.*$/, '$&\n\n'),
    extensions: [
      EditorView.cspNonce.of(area.dataset.nonce ?? ''),
      EditorView.lineWrapping,
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
    ],
  })
  addEventListener('pointerup', () => view.hasFocus && view.dispatch({ effects: redraw.of(view) }))
  area.labels[0]?.addEventListener('click', () => view.focus())
  area.hidden = true
  area.before(toolbar(view, labels), view.dom)
  // With the other buttons, above the keyboard of a phone.
  const actions = matchMedia('(width < 40rem), (pointer: coarse)').matches && form.querySelector('.actions')
  if (actions) actions.prepend(...form.querySelectorAll('.toolbar'))
  return view
}

/** Applies the change between two versions to the current text. The cursor keeps its place. */
function change(view: EditorView, before: string, after: string): void {
  const others = changeBetween(before, after)
  const own = changeBetween(before, view.state.doc.toString())
  view.dispatch({ changes: others.map(own) })
}

/** One change, without the common begin and end of both versions. */
function changeBetween(before: string, after: string): ChangeSet {
  const most = Math.min(before.length, after.length)
  let [start, end] = [0, 0]
  while (start < most && before[start] === after[start]) start++
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end++
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
