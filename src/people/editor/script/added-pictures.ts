import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { button, type Labels } from './commands.ts'
import { request } from './saving.ts'
import type { Pictures } from './shown.ts'
import { elementAt } from './syntax.ts'

/** The largest picture that the service takes, in bytes. */
const MAX_BYTES = 50 << 20

/** A picture that the service has stored, the Markdown that shows it, and a note about the picture. */
type Added = { markdown: string; note: string; file: File }

/**
 * Adds pictures that somebody drops, pastes or chooses: the form to which the link *Add picture* leads asks for their
 * description in a dialog, the service stores them, and their Markdown is put at the cursor.
 */
export function addedPictures(form: HTMLFormElement, labels: Labels, pictures: Pictures): Extension {
  const link = form.querySelector<HTMLAnchorElement>('a[data-picture]')
  if (!link) return []
  const cancel = form.querySelector('button[value="cancel"]')?.textContent ?? ''
  const drafts = draftedPictures(form, link)
  // Adds pictures one after the other. Undefined stands for a file that is to be chosen in the dialog.
  const add = async (view: EditorView, files: readonly (File | undefined)[]) => {
    for (const file of files) {
      const added = await askFor(drafts.formAddress(), file, { ...labels, cancel })
      if (!added) continue
      await insertPicture(view, added, pictures)
      drafts.keep(added)
      if (added.note) form.querySelector('.actions')?.append(resultOf(added.note))
    }
    view.focus()
  }
  // Takes the pictures that were dropped or pasted; false if there are none.
  const take = (view: EditorView, data: DataTransfer | null) => {
    const files = Array.from(data?.files ?? []).filter(({ type }) => type.startsWith('image/'))
    if (files.length > 0) void add(view, files)
    return files.length > 0
  }
  const opener = button(link.textContent, () => {
    const view = EditorView.findFromDOM(form)
    if (view) void add(view, [undefined])
  })
  link.replaceWith(opener)
  return EditorView.domEventHandlers({
    paste: ({ clipboardData }, view) => !isText(clipboardData) && take(view, clipboardData),
    drop: ({ dataTransfer, clientX: x, clientY: y }, view) => {
      const isTaken = take(view, dataTransfer)
      if (isTaken) view.dispatch({ selection: { anchor: view.posAtCoords({ x, y }, false) } })
      return isTaken
    },
  })
}

/** The pictures of a page that does not exist yet, keyed by their address in the text: they arrive with its first save. */
function draftedPictures(form: HTMLFormElement, link: HTMLAnchorElement) {
  const drafted = new Map<string, File>()
  // The link is hidden on the page of a new page; once that is saved, its address says so.
  const isDraft = () => link.hidden && !new URLSearchParams(location.search).has('saved')
  form.addEventListener('formdata', ({ formData }) => {
    const text = EditorView.findFromDOM(form)?.state.doc.toString() ?? ''
    for (const [address, file] of drafted) if (isDraft() && text.includes(address)) formData.append('pictures', file)
  })
  return {
    /** The address of the form that asks for the next picture. */
    formAddress: (): string => {
      const url = new URL(link.href)
      if (!isDraft()) url.searchParams.delete('draft')
      for (const { name } of drafted.values()) url.searchParams.append('taken', `files/pictures/${name}`)
      return url.href
    },
    keep: ({ markdown, file }: Added): void => {
      const address = addressIn(markdown)
      if (isDraft()) drafted.set(address, new File([file], decodeURI(address).replace(/^.*\//s, '')))
    },
  }
}

/**
 * Whether the clipboard has a text, to which spreadsheets and word processors add a picture of it. A copied file comes with
 * its name.
 */
function isText(data: DataTransfer | null): boolean {
  const text = data?.getData('text/plain').trim() ?? ''
  return text !== '' && !Array.from(data?.files ?? []).some(({ name }) => name === text)
}

/** The result for a picture, next to the buttons, until the next save. */
function resultOf(textContent: string): HTMLElement {
  return Object.assign(document.createElement('span'), { className: 'result done', role: 'status', textContent })
}

/** Asks for the description of a picture, and for the picture unless there is one; undefined if nothing was stored. */
async function askFor(url: string, given: File | undefined, labels: Labels): Promise<Added | undefined> {
  const { dialog, fields, input, problem } = pictureDialog((await request(url, {}))?.page, labels)
  document.body.append(dialog)
  dialog.showModal()
  if (given && input) input.files = listOf(given)
  else input?.click()
  const { promise, resolve } = Promise.withResolvers<Added | undefined>()
  const ended = new AbortController()
  dialog.addEventListener('close', () => {
    ended.abort()
    dialog.remove()
    resolve(undefined)
  })
  fields.addEventListener('submit', async event => {
    event.preventDefault()
    const file = input?.files?.[0]
    if (!file || fields.ariaBusy === 'true') return
    fields.ariaBusy = 'true'
    const tooLarge: Uploaded = { failure: labels.tooLarge }
    const { markdown, failure, note = '' } = file.size > MAX_BYTES ? tooLarge : await upload(url, fields, ended.signal)
    fields.ariaBusy = 'false'
    problem.textContent = failure || (labels.offline ?? '')
    if (!markdown) return
    resolve({ markdown, note, file })
    dialog.close()
  })
  return promise
}

/** The dialog with the form of a page, and with a place for problems, which says so without a form. */
function pictureDialog(page: Document | undefined, labels: Labels) {
  const fields = page?.querySelector<HTMLFormElement>('article form') ?? document.createElement('form')
  const input = fields.querySelector<HTMLInputElement>('[type="file"]')
  const ariaLabel = page?.querySelector('h1')?.textContent
  const dialog = Object.assign(document.createElement('dialog'), { className: 'edit', ariaLabel })
  const textContent = input ? '' : labels.offline
  const problem = Object.assign(document.createElement('p'), { className: 'problem', role: 'alert', textContent })
  fields.querySelector('a.button')?.remove()
  ;(fields.querySelector('.actions') ?? fields).append(button(labels.cancel, () => dialog.close()))
  dialog.append(fields, problem)
  return { dialog, fields, input, problem }
}

function listOf(file: File): FileList {
  const transfer = new DataTransfer()
  transfer.items.add(file)
  return transfer.files
}

/** The Markdown that shows a stored picture, or why there is none, and a note about the picture. */
type Uploaded = { markdown?: string | undefined; failure?: string | undefined; note?: string | undefined }

/** Sends the form of the dialog, and reads from the page that comes back what became of it. */
async function upload(url: string, fields: HTMLFormElement, signal: AbortSignal): Promise<Uploaded> {
  const reply = await request(url, { method: 'POST', body: new FormData(fields), signal })
  const result = reply?.page.querySelector<HTMLElement>('main :is(.result, [role="alert"])')
  return {
    markdown: result?.dataset.markdown,
    failure: result?.textContent.trim(),
    note: result?.querySelector('[data-note]')?.textContent,
  }
}

/** `../files/a.png` of `![A](../files/a.png)`. */
function addressIn(markdown: string): string {
  return markdown.slice(markdown.lastIndexOf('](') + 2, -1)
}

/** Puts the Markdown of a picture at the cursor, as a paragraph outside of lists, quotations and tables. */
async function insertPicture(view: EditorView, { markdown, file }: Added, pictures: Pictures): Promise<void> {
  const path = addressIn(markdown)
  const pixels = await createImageBitmap(file).catch(() => undefined)
  if (pixels && !pictures.has(path)) pictures.set(path, pixels)
  const { state } = view
  const { from, to } = state.selection.main
  const isInline = elementAt(state, from, /^(?:ListItem|Blockquote|Table)$/) !== undefined
  // A paragraph needs two line breaks on each side: those that are missing there.
  const breaks = (text: string, pattern: RegExp) => (isInline ? '' : '\n\n'.slice(pattern.exec(text)?.[0].length))
  const start = from === 0 ? '' : breaks(state.sliceDoc(Math.max(0, from - 2), from), /(?<!\n)\n*$/)
  const insert = start + markdown + breaks(state.sliceDoc(to, to + 2), /^\n*/)
  view.dispatch({ changes: { from, to, insert }, selection: { anchor: from + insert.length }, scrollIntoView: true })
}
