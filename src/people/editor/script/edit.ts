import { history, historyKeymap, standardKeymap } from '@codemirror/commands'
import { ChangeSet, EditorState } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { headingIds, splitHeading } from '#brand/heading-ids.ts'
import { blocks } from './blocks.ts'
import { textKeys, toolbar } from './commands.ts'
import { keptText } from './kept-text.ts'
import { startPreview } from './preview.ts'
import { startSaving } from './saving.ts'
import type { Pictures } from './shown.ts'
import { signs } from './signs.ts'
import { settle, syntax, syntaxOf } from './syntax.ts'

/* Replaces the text area of a page's Markdown by an editor of the same form. */
addEventListener('DOMContentLoaded', () => {
  const area = document.querySelector<HTMLTextAreaElement>('form[data-edit] textarea[data-source]')
  if (area?.form) start(area.form, area)
})

function start(form: HTMLFormElement, area: HTMLTextAreaElement): void {
  const labels = Object.fromEntries(stringsIn(area.dataset.words))
  const pictures = stringsIn(area.dataset.pictures)
  let isChanged = false
  let onChange = () => {}
  const view = editorView(area, labels, pictures, () => onChange())
  const read = () => view.state.doc.toString()
  form.addEventListener('formdata', ({ formData }) => formData.set(area.name, read()))
  view.dom.before(toolbar(view, labels))
  const kept = keptText(form, labels, text => change(view, read(), text))
  const showSoon = startPreview(form, labels, () => headingAt(view.state))
  onChange = () => {
    isChanged = true
    kept.keep()
    showSoon()
  }
  form.addEventListener('input', () => onChange())
  startSaving(form, { area, read, merge: (sent, saved) => change(view, sent, saved) }, labels, (page, isCurrent) => {
    for (const [path, address] of stringsIn(page.querySelector<HTMLElement>('[data-source]')?.dataset.pictures))
      pictures.set(path, address)
    view.dispatch({ effects: settle.of(null) })
    if (isCurrent) {
      isChanged = false
      kept.clear()
    }
  })
  addEventListener('beforeunload', event => {
    if (isChanged) event.preventDefault()
  })
  leaveByCancel(form, kept.clear)
  followKeyboard()
}

function stringsIn(json = '{}'): Pictures {
  return new Map(Object.entries(JSON.parse(json)).map(([key, value]) => [key, `${value}`]))
}

function editorView(
  area: HTMLTextAreaElement,
  labels: Readonly<Record<string, string>>,
  pictures: Pictures,
  onChange: () => void,
): EditorView {
  const save = () => area.form?.querySelector<HTMLButtonElement>('button[value="save"]')?.click()
  const [label] = area.labels
  const view = new EditorView({
    state: EditorState.create({
      doc: area.value,
      extensions: [
        EditorView.cspNonce.of(area.dataset.nonce ?? ''),
        EditorView.lineWrapping,
        EditorView.perLineTextDirection.of(true),
        EditorView.contentAttributes.of({ ...inputAttributes(area), 'aria-label': label?.textContent ?? '' }),
        EditorView.updateListener.of(({ docChanged }) => docChanged && onChange()),
        syntax,
        signs(labels, pictures),
        blocks(pictures),
        history(),
        keymap.of([...textKeys(save), ...standardKeymap, ...historyKeymap]),
      ],
    }),
  })
  addEventListener('pointerup', () => view.hasFocus && view.dispatch({ effects: settle.of(null) }))
  label?.addEventListener('click', () => view.focus())
  area.hidden = true
  area.before(view.dom)
  return view
}

/** The browser helps with spelling, as in the text area. */
function inputAttributes(area: HTMLTextAreaElement): Record<string, string> {
  const attributes: Record<string, string> = {
    spellcheck: 'true',
    autocorrect: 'on',
    autocapitalize: 'sentences',
    lang: area.lang,
  }
  for (const name of ['aria-describedby', 'aria-invalid']) {
    const value = area.getAttribute(name)
    if (value !== null) attributes[name] = value
  }
  return attributes
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
  syntaxOf(state).iterate({
    to: state.selection.main.head,
    enter: ({ name, from, to }) => {
      if (!name.includes('Heading')) return name === 'Document'
      const text = state.sliceDoc(from, to).replace(/^#+\s+|\s+#+$|\n.*$/g, '')
      const { text: plain, id: own } = splitHeading(text)
      id = idOf(plain.replace(/[*_`]|\]\([^)]*\)|\[/g, ''), own)
      return false
    },
  })
  return id
}

/** Forgets the kept form once a person leaves by *Cancel*. */
function leaveByCancel(form: HTMLFormElement, clear: () => void): void {
  let isCancelled = false
  form.addEventListener('submit', ({ submitter }) => {
    isCancelled = submitter instanceof HTMLButtonElement && submitter.value === 'cancel'
  })
  addEventListener('pagehide', () => {
    if (isCancelled) clear()
  })
}

/** The height of a keyboard that covers the page, for bars that lie above it. */
function followKeyboard(): void {
  const { visualViewport } = window
  if (!visualViewport) return
  const measure = () => {
    const covered = Math.max(0, innerHeight - visualViewport.height - visualViewport.offsetTop)
    document.documentElement.style.setProperty('--keyboard', `${visualViewport.scale === 1 ? covered : 0}px`)
  }
  visualViewport.addEventListener('resize', measure)
  visualViewport.addEventListener('scroll', measure)
}
