import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { button, type Labels } from './commands.ts'
import { request } from './saving.ts'
import { type Pictures, stringsIn } from './shown.ts'
import { elementAt } from './syntax.ts'

/** The largest picture that the service takes, in bytes. */
const MAX_BYTES = 50 << 20
/** Twice the height at which a picture is shown, in pixels. */
const MAX_HEIGHT = 768

/** A picture that the service has stored: the Markdown that shows it, and its path there. */
type Added = { markdown: string; path: string; file: File }

/**
 * Adds pictures that somebody drops, pastes or chooses: the form to which the link *Add picture* leads asks for their
 * description in a dialog, the service stores them, and their Markdown is put at the cursor.
 */
export function addedPictures(form: HTMLFormElement, labels: Labels, pictures: Pictures): Extension {
  const link = form.querySelector<HTMLAnchorElement>('a[data-picture]')
  if (!link) return []
  const cancel = form.querySelector('button[value="cancel"]')?.textContent ?? ''
  const add = async (view: EditorView, files: readonly (File | undefined)[]) => {
    for (const file of files) {
      const added = await askFor(link.href, file, { ...labels, cancel })
      if (added) await insertPicture(view, added, pictures)
    }
    view.focus()
  }
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
    paste: ({ clipboardData }, view) => take(view, clipboardData),
    drop: ({ dataTransfer, clientX: x, clientY: y }, view) => {
      const isTaken = take(view, dataTransfer)
      if (isTaken) view.dispatch({ selection: { anchor: view.posAtCoords({ x, y }, false) } })
      return isTaken
    },
  })
}

/** Asks for the description of a picture, and for the picture unless there is one; undefined if nothing was stored. */
async function askFor(url: string, given: File | undefined, labels: Labels): Promise<Added | undefined> {
  const page = (await request(url, {}))?.page
  const fields = page?.querySelector<HTMLFormElement>('article form')
  const dialog = document.createElement('dialog')
  dialog.className = 'edit'
  dialog.ariaLabel = page?.querySelector('h1')?.textContent ?? labels.picture ?? ''
  const problem = Object.assign(document.createElement('p'), { className: 'problem', role: 'alert' })
  problem.textContent = fields ? '' : (labels.offline ?? '')
  const close = button(labels.cancel, () => dialog.close())
  dialog.append(fields ?? '', problem)
  fields?.querySelector('a.button')?.remove()
  dialog.querySelector('.actions')?.append(close) ?? dialog.append(close)
  const input = fields?.querySelector<HTMLInputElement>('[type="file"]')
  if (given && input) input.files = listOf(given)
  document.body.append(dialog)
  dialog.showModal()
  if (given) fields?.querySelector<HTMLInputElement>('[name="description"]')?.focus()
  const ended = new AbortController()
  const { promise, resolve } = Promise.withResolvers<Added | undefined>()
  let added: Added | undefined
  dialog.addEventListener('close', () => {
    ended.abort()
    dialog.remove()
    resolve(added)
  })
  fields?.addEventListener('submit', async event => {
    event.preventDefault()
    const file = input?.files?.[0]
    if (!file || fields.ariaBusy === 'true') return
    problem.textContent = ''
    fields.ariaBusy = 'true'
    const isTooLarge = file.size > MAX_BYTES
    const answer = isTooLarge ? new Map([['problem', labels.tooLarge]]) : await upload(url, fields, ended.signal)
    fields.ariaBusy = 'false'
    const markdown = answer.get('markdown')
    problem.textContent = answer.get('problem') ?? labels.offline ?? ''
    if (markdown === undefined) return
    added = { markdown, path: answer.get('path') ?? '', file }
    dialog.close()
  })
  return promise
}

function listOf(file: File): FileList {
  const transfer = new DataTransfer()
  transfer.items.add(file)
  return transfer.files
}

/** Sends the fields in the order in which the service reads them: the picture is last. */
async function upload(url: string, fields: HTMLFormElement, signal: AbortSignal): Promise<Map<string, string>> {
  const [filled, body] = [new FormData(fields), new FormData()]
  for (const name of ['token', 'description', 'picture']) body.append(name, filled.get(name) ?? '')
  try {
    const reply = await fetch(url, { method: 'POST', body, headers: { accept: 'application/json' }, signal })
    return stringsIn(await reply.text())
  } catch {
    return new Map()
  }
}

/** Puts the Markdown of a picture at the cursor, as a paragraph outside of lists, quotations and tables. */
async function insertPicture(view: EditorView, { markdown, path, file }: Added, pictures: Pictures): Promise<void> {
  const pixels = await pixelsOf(file)
  if (pixels && !pictures.has(path)) pictures.set(path, pixels)
  const { state } = view
  const { from, to } = state.selection.main
  const isInline = elementAt(state, from, /^(?:ListItem|Blockquote|Table)$/) !== undefined
  const breaks = (text: string, pattern: RegExp) => (isInline ? '' : '\n\n'.slice(pattern.exec(text)?.[0].length))
  const start = from === 0 ? '' : breaks(state.sliceDoc(Math.max(0, from - 2), from), /\n*$/)
  const end = breaks(state.sliceDoc(to, to + 2), /^\n*/)
  const anchor = from + start.length + markdown.length + end.length
  view.dispatch({ changes: { from, to, insert: start + markdown + end }, selection: { anchor }, scrollIntoView: true })
}

/** The pixels of a picture until its page is published; undefined for drawings, whose size is not known. */
async function pixelsOf(file: File): Promise<ImageBitmap | undefined> {
  try {
    const pixels = await createImageBitmap(file)
    return pixels.height > MAX_HEIGHT ? await createImageBitmap(pixels, { resizeHeight: MAX_HEIGHT }) : pixels
  } catch {
    return undefined
  }
}
