import type { Labels } from './commands.ts'

/** The text of a form while it is edited. */
export type EditedText = {
  area: HTMLTextAreaElement
  read: () => string
  /** Adds the changes of others: those from the text that was sent to the text that was saved. */
  merge: (sent: string, saved: string) => void
}

const POLL_MS = 500
const MAX_POLL_MS = 60_000

/**
 * Saves a form without leaving its page: focus, cursor and later typing stay. Follows a saved change until it
 * is published. `onSaved` is called after each save, with whether nothing was changed since it began.
 */
export function startSaving(
  form: HTMLFormElement,
  text: EditedText,
  labels: Labels,
  onSaved: (page: Document, isCurrent: boolean) => void,
): void {
  let queue = Promise.resolve()
  let lastBody: string | undefined
  const save = async (button: HTMLElement) => {
    const sent = text.read()
    const body = bodyOf(form, button)
    // A repeated save has the same id, so that it becomes the same commit.
    if (lastBody !== undefined && lastBody !== `${body}`) control(form, 'save').value = newId()
    lastBody = `${bodyOf(form, button)}`
    const reply = await request(form.action, { method: 'POST', body: bodyOf(form, button, true) })
    const now = reply?.page.querySelector<HTMLFormElement>('form[data-edit]')
    if (!reply || !now) return showProblem(form, reply?.page.querySelector('main')?.textContent || labels.offline)
    const saved = now.querySelector<HTMLTextAreaElement>('textarea[data-source]')?.value ?? sent
    const isCurrent = text.read() === sent
    const isSaved = reply.page.querySelector('[data-state]') !== null
    exchangeFields(form, now, body, text.area)
    exchangeAround(form, now)
    // Blank space at the ends is not saved, but may be typed in this moment.
    if (saved.trim() !== sent.trim()) text.merge(sent, saved)
    if (!isSaved) return focusProblem()
    lastBody = undefined
    control(form, 'summary').value = ''
    history.replaceState(null, '', reply.url)
    onSaved(reply.page, isCurrent)
    void follow()
  }
  form.addEventListener('submit', event => {
    const { submitter } = event
    if (!(submitter instanceof HTMLButtonElement) || submitter.value !== 'save') return
    event.preventDefault()
    // Saves wait for each other, since each has the version that the one before left.
    queue = queue.then(() => save(submitter))
  })
}

function control(form: HTMLFormElement, name: string): HTMLInputElement {
  return form.querySelector<HTMLInputElement>(`[name="${name}"]`) ?? document.createElement('input')
}

function bodyOf(form: HTMLFormElement, button: HTMLElement, withId = false): URLSearchParams {
  const body = new URLSearchParams()
  for (const [name, value] of new FormData(form, button)) if (withId || name !== 'save') body.append(name, `${value}`)
  return body
}

/** `crypto.randomUUID` needs HTTPS. */
function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
}

/** The page at an address; undefined if there is no answer. */
export async function request(url: string, options: RequestInit): Promise<{ page: Document; url: string } | undefined> {
  try {
    const reply = await fetch(url, options)
    return { page: new DOMParser().parseFromString(await reply.text(), 'text/html'), url: reply.url }
  } catch {
    return undefined
  }
}

/** Takes over fields with their problems, except values that were typed since, and the text itself. */
function exchangeFields(form: HTMLFormElement, now: HTMLFormElement, sent: URLSearchParams, area: HTMLElement): void {
  const [focused, current] = [document.activeElement?.id, new FormData(form)]
  for (const name of ['token', 'base', 'save']) control(form, name).value = control(now, name).value
  for (const fresh of now.querySelectorAll<HTMLElement>('.field')) {
    const old = document.getElementById(fresh.querySelector('[id]')?.id ?? '')
    const name = old?.getAttribute('name') ?? ''
    const field = old?.closest('.field')
    if (old === area) {
      for (const problem of field?.querySelectorAll('.problem') ?? []) problem.remove()
      field?.append(...fresh.querySelectorAll('.problem'))
    } else if (`${current.getAll(name)}` === `${sent.getAll(name)}`) field?.replaceWith(fresh)
  }
  if (document.activeElement?.id !== focused) document.getElementById(focused ?? '')?.focus()
}

/** Leads to the first field with a problem. */
export function focusProblem(): void {
  document.querySelector<HTMLElement>('[data-edit] [aria-invalid="true"]')?.focus()
}

/** Takes over everything around the form. What became of the save is next to its button, and may be undone there. */
function exchangeAround(form: HTMLFormElement, now: HTMLFormElement): void {
  const article = form.parentElement
  const fresh = [...(now.parentElement?.children ?? [])]
  const old = article?.querySelectorAll(':scope > :not([data-edit], .kept), .actions > :is(.result, [form])') ?? []
  for (const element of old) element.remove()
  form.before(...fresh.slice(0, fresh.indexOf(now)))
  form.after(...fresh.slice(fresh.indexOf(now) + 1))
  for (const result of article?.querySelectorAll<HTMLElement>(':scope > .result:not(.kept)') ?? [])
    if (result.matches('p')) announce(form, result)
    else result.focus()
  const undo = article?.querySelector<HTMLButtonElement>('[value="undo"]')
  if (!undo?.form) return
  undo.form.id = 'undo'
  undo.setAttribute('form', 'undo')
  form.querySelector('.actions')?.append(undo)
}

function showProblem(form: HTMLFormElement, textContent = ''): void {
  for (const old of form.querySelectorAll('.actions > .result')) old.remove()
  announce(form, Object.assign(document.createElement('p'), { className: 'result failed', role: 'alert', textContent }))
}

/** Screen readers announce changes of an existing region, so it gets its content later. */
function announce(form: HTMLFormElement, result: HTMLElement): void {
  const content = [...result.childNodes]
  result.replaceChildren()
  result.removeAttribute('autofocus')
  form.querySelector('.actions')?.append(result)
  setTimeout(() => result.append(...content), 50)
}

let followed = 0

/** Asks while a saved change waits for its import, ever more rarely. A later save ends it. */
export async function follow(): Promise<void> {
  const own = ++followed
  const isWaiting = (of: Document) => of.querySelector('[data-state]')?.getAttribute('data-state') === 'waiting'
  for (let wait = POLL_MS; isWaiting(document) && wait < MAX_POLL_MS; wait *= 1.1) {
    await new Promise(resolve => setTimeout(resolve, wait))
    if (document.hidden) continue
    const page = (await request(location.href, {}))?.page
    const [old, fresh] = [document, page].map(each => each?.querySelector('[data-state]'))
    if (own !== followed) return
    if (!page || !old || !fresh || isWaiting(page)) continue
    old.className = fresh.className
    old.setAttribute('data-state', fresh.getAttribute('data-state') ?? '')
    old.replaceChildren(...fresh.childNodes)
  }
}
