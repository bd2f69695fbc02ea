import { history, historyKeymap, standardKeymap } from '@codemirror/commands'
import { pasteURLAsLink } from '@codemirror/lang-markdown'
import { syntaxTree } from '@codemirror/language'
import { ChangeSet, type EditorState } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { headingIds, splitHeading } from '#brand/heading-ids.ts'
import { addedPictures } from './added-pictures.ts'
import { type Labels, textKeys, toolbar } from './commands.ts'
import { keptText } from './kept-text.ts'
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
  let isChanged = false
  let onChange = () => {}
  const view = editorView(form, area, labels, pictures, () => onChange())
  const read = () => view.state.doc.toString()
  const kept = keptText(form, labels, text => change(view, read(), text))
  const showSoon = startPreview(form, labels, isLarge(area.value), () => headingAt(view.state))
  form.addEventListener('formdata', ({ formData }) => formData.set(area.name, read()))
  onChange = () => {
    isChanged = true
    kept.keep()
    showSoon()
  }
  form.addEventListener('input', () => onChange())
  const text = { area, read, merge: (sent: string, saved: string) => change(view, sent, saved) }
  startSaving(form, text, labels, (page, isCurrent) => {
    const shown = page.querySelector<HTMLElement>('[data-source]')?.dataset.pictures
    for (const [path, address] of stringsIn(shown)) pictures.set(path, address)
    view.dispatch({ effects: redraw.of(view) })
    if (!isCurrent) return
    isChanged = false
    kept.clear()
  })
  let isCancelled = false
  form.addEventListener('submit', ({ submitter }) => {
    isCancelled = submitter instanceof HTMLButtonElement && submitter.value === 'cancel'
  })
  addEventListener('beforeunload', event => isChanged && !isCancelled && event.preventDefault())
  addEventListener('pagehide', () => isCancelled && kept.clear())
  if (window.visualViewport) followKeyboard(window.visualViewport)
}

function editorView(
  form: HTMLFormElement,
  area: HTMLTextAreaElement,
  labels: Labels,
  pictures: Pictures,
  onChange: () => void,
): EditorView {
  const save = () => {
    form.querySelector<HTMLButtonElement>('button[value="save"]')?.click()
    return true
  }
  const view = new EditorView({
    doc: area.value,
    extensions: [
      EditorView.cspNonce.of(area.dataset.nonce ?? ''),
      EditorView.lineWrapping,
      EditorView.perLineTextDirection.of(true),
      EditorView.contentAttributes.of(inputAttributes(area)),
      EditorView.updateListener.of(({ docChanged }) => docChanged && onChange()),
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

/** The browser helps with spelling, as in the text area. */
function inputAttributes(area: HTMLTextAreaElement): Record<string, string> {
  const names = ['lang', 'spellcheck', 'aria-describedby', 'aria-invalid'].filter(name => area.hasAttribute(name))
  const copied = Object.fromEntries(names.map(name => [name, area.getAttribute(name) ?? '']))
  return { ...copied, autocorrect: 'on', autocapitalize: 'sentences', 'aria-label': area.labels[0]?.textContent ?? '' }
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
  let start = 0
  while (start < most && before[start] === after[start]) start++
  let end = 0
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const insert = after.slice(start, after.length - end)
  return ChangeSet.of({ from: start, to: before.length - end, insert }, before.length)
}

/** The id on the page of the heading above the cursor; empty if there is none. */
function headingAt(state: EditorState): string {
  const idOf = headingIds()
  let id = ''
  syntaxTree(state).iterate({
    to: state.selection.main.head,
    enter: ({ name, from, to }) => {
      if (!name.includes('Heading')) return name === 'Document'
      const heading = splitHeading(state.sliceDoc(from, to).replace(/^#+\s+|\s+#+$|\n.*$/g, ''))
      id = idOf(heading.text.replace(/[*_`]|\]\([^)]*\)|\[/g, ''), heading.id)
      return false
    },
  })
  return id
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
