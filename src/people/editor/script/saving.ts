import type { Labels } from './commands.ts'

/** The text of a form while it is edited. */
export type EditedText = {
  read: () => string
  /** Adds the changes of others: those from the text that was sent to the text that was saved. */
  merge: (sent: string, saved: string) => void
  /** Forgets what the browser has kept of the form. */
  forget: () => void
}

/** The longest pause between two questions about a saved change; then, the page stops asking. */
const MAX_WAIT_MS = 60_000
/** The time for a reply: longer than the service waits for a git host. */
const MAX_REPLY_MS = 40_000
/** The speed at which files are sent at least: that of a slow mobile connection. */
const MIN_BYTES_PER_MS = 8
/** Shorter saves say nothing until they have ended. */
const LONG_MS = 500

/**
 * Saves a form without leaving its page: focus, cursor and later typing stay. A save takes over the fields and the
 * text of the page that comes back. Follows a saved change until it is published. `onSaved` is called after each
 * save, with the new page.
 */
export function startSaving(
  form: HTMLFormElement,
  text: EditedText,
  labels: Labels,
  onSaved: (page: Document) => void,
): void {
  const id = control(form, 'save').value
  let queue = Promise.resolve()
  // A form that was sent and not saved is shown with its changes, which count as one.
  let changes = form.closest('[data-unsaved]') ? 1 : 0
  let savedChanges = 0
  const save = async (button: HTMLElement) => {
    const sent = text.read()
    const body = bodyOf(form, button)
    const changesBefore = changes
    const reply = await send(form, body, button, labels)
    const now = reply?.page.querySelector<HTMLFormElement>('form[data-edit]')
    if (!reply || !now) return showResult(form, problemIn(reply?.page, labels))
    const saved = now.querySelector<HTMLTextAreaElement>('textarea[data-source]')?.value ?? sent
    const isSaved = reply.page.querySelector('[data-state]') !== null
    const isCurrent = changes === changesBefore
    exchangeFields(form, now, body)
    exchangeAround(form, now)
    // Blank space at the ends is not saved, but may be typed in this moment.
    if (saved.trim() !== sent.trim()) text.merge(sent, saved)
    if (!isSaved) return focusProblem()
    control(form, 'summary').value = ''
    history.replaceState(null, '', reply.url)
    onSaved(reply.page)
    if (isCurrent) {
      savedChanges = changes
      text.forget()
    }
    void follow()
  }
  form.addEventListener('input', () => void changes++)
  // A save that is repeated without a change has the same id, so that it becomes the same commit.
  form.addEventListener('formdata', ({ formData }) => formData.set('save', `${id}-${changes}`))
  form.addEventListener('submit', event => {
    const { submitter } = event
    if (!(submitter instanceof HTMLButtonElement) || submitter.value !== 'save') return
    event.preventDefault()
    // Saves wait for each other, since each has the version that the one before left.
    queue = queue.then(() => save(submitter))
  })
  addEventListener('beforeunload', event => changes > savedChanges && event.preventDefault())
}

/** Sends a form with the values of `body`; what became of an earlier save goes. */
async function send(form: HTMLFormElement, body: BodyInit, button: HTMLElement, labels: Labels) {
  showResult(form)
  const end = saySaving(form, button, labels)
  const reply = await request(form.action, { method: 'POST', body })
  end()
  return reply
}

/** Why a page without the form was the reply, with its link to the sign-in; or that there was none. */
function problemIn(page: Document | undefined, labels: Labels): HTMLElement {
  const problem = Object.assign(document.createElement('p'), { className: 'result failed', role: 'alert' })
  problem.append(...(page?.querySelector('main [role="alert"]')?.childNodes ?? [labels.offline ?? '']))
  return problem
}

/** Says that a form without a text is saved while its next page takes long to come. */
export function sayWhenLong(form: HTMLFormElement, labels: Labels): void {
  whenSent(form, button => saySaving(form, button, labels))
}

/** Calls when the main button of a form sends it, so that the page is left. */
export function whenSent(form: HTMLFormElement, call: (button: HTMLElement) => void): void {
  addEventListener('submit', ({ target, submitter, defaultPrevented }) => {
    if (target === form && submitter?.matches('.primary') && !defaultPrevented) call(submitter)
  })
}

/** Says so once a save takes long, and marks its button, until the save has ended. */
function saySaving(form: HTMLFormElement, button: HTMLElement, labels: Labels): () => void {
  const message = Object.assign(document.createElement('p'), {
    className: 'result',
    role: 'status',
    textContent: labels.saving,
  })
  const timer = setTimeout(() => showResult(form, message), LONG_MS)
  button.ariaDisabled = 'true'
  return () => {
    clearTimeout(timer)
    showResult(form)
    button.ariaDisabled = null
  }
}

/** The control of a form with a name; a new one, which is on no page, if there is none. */
function control(form: HTMLFormElement, name: string): HTMLInputElement {
  return form.querySelector<HTMLInputElement>(`[name="${name}"]`) ?? document.createElement('input')
}

/** The fields of a form, and its pictures, as one of its buttons sends them. */
export function bodyOf(form: HTMLFormElement, button: HTMLElement): URLSearchParams | FormData {
  const data = new FormData(form, button)
  return data.has('pictures') ? data : new URLSearchParams(Array.from(data, ([name, value]) => [name, `${value}`]))
}

type PageReply = { page: Document; url: string; isOk: boolean }

/** The page at an address; undefined if there is no answer in time. */
export async function request(url: string, options: RequestInit): Promise<PageReply | undefined> {
  try {
    const reply = await fetch(url, { signal: AbortSignal.timeout(patienceMs(options)), ...options })
    const page = new DOMParser().parseFromString(await reply.text(), 'text/html')
    return { page, url: reply.url, isOk: reply.ok }
  } catch {
    return undefined
  }
}

/** How long to wait for a reply. Files take longer to send. */
function patienceMs({ body }: RequestInit): number {
  const values = body instanceof FormData ? [...body.values()] : []
  const bytes = values.reduce((sum, value) => sum + (value instanceof File ? value.size : 0), 0)
  return MAX_REPLY_MS + bytes / MIN_BYTES_PER_MS
}

/**
 * Takes over the fields of the new page with their problems, except fields whose values have changed since they were sent,
 * and the text itself. The focus stays.
 */
function exchangeFields(form: HTMLFormElement, now: HTMLFormElement, sent: URLSearchParams | FormData): void {
  const focused = document.activeElement?.id ?? ''
  const current = new FormData(form)
  for (const name of ['token', 'base']) control(form, name).value = control(now, name).value
  for (const fresh of now.querySelectorAll('.field:not(:has([data-source]))')) {
    const name = fresh.querySelector('[name]')?.getAttribute('name') ?? ''
    if (`${current.getAll(name)}` === `${sent.getAll(name)}`) control(form, name).closest('.field')?.replaceWith(fresh)
  }
  if (document.activeElement?.id !== focused) document.getElementById(focused)?.focus()
}

/** Leads to the first field with a problem. */
export function focusProblem(): void {
  document.querySelector<HTMLElement>('[data-edit] [aria-invalid="true"]')?.focus()
}

/** Takes over everything around the form, except offers to restore, and what became of its save. */
function exchangeAround(form: HTMLFormElement, now: HTMLFormElement): void {
  const fresh = [...(now.parentElement?.children ?? [])]
  for (const old of form.parentElement?.querySelectorAll(':scope > :not([data-edit], .kept)') ?? []) old.remove()
  form.before(...fresh.slice(0, fresh.indexOf(now)))
  form.after(...fresh.slice(fresh.indexOf(now) + 1))
  form.parentElement?.querySelector<HTMLElement>(':scope > div.result:not(.kept)')?.focus()
  const problem = form.parentElement?.querySelector(':scope > p.result:not(.kept)')
  showResult(form, ...(problem ? [problem] : now.querySelectorAll(RESULT)))
}

/** What became of a save, and the button that undoes it, beside the other buttons. */
const RESULT = '.actions > :is(.result, [name="commit"], [value="undo"])'

/** Shows what became of a save. Its content comes a moment later, because screen readers only announce what a region gets. */
function showResult(form: HTMLFormElement, ...results: readonly Element[]): void {
  for (const old of form.querySelectorAll(RESULT)) old.remove()
  form.querySelector('.actions')?.append(...results)
  const content = [...(results[0]?.childNodes ?? [])]
  results[0]?.replaceChildren()
  setTimeout(() => results[0]?.append(...content), 50)
}

/** Asks while a saved change waits for its import, ever more rarely. */
export async function follow(wait = 500): Promise<void> {
  const old = document.querySelector('[data-state="waiting"]')
  if (!old || wait > MAX_WAIT_MS) return
  await new Promise(resolve => setTimeout(resolve, wait))
  const page = document.hidden ? undefined : (await request(location.href, {}))?.page
  const fresh = page?.querySelector('[data-state]:not([data-state="waiting"])')
  // A later save shows its own result.
  if (!old.isConnected) return
  if (!fresh) return follow(wait * 1.1)
  old.className = fresh.className
  old.setAttribute('data-state', fresh.getAttribute('data-state') ?? '')
  old.replaceChildren(...fresh.childNodes)
}
