import type { Labels } from './commands.ts'

/** The text of a form while it is edited. */
export type EditedText = {
  area: HTMLTextAreaElement
  read: () => string
  /** Adds the changes of others: those from the text that was sent to the text that was saved. */
  merge: (sent: string, saved: string) => void
}

const POLL_MS = 2_000
const MAX_POLL_MS = 600_000

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
    if (!reply || !now)
      return showProblem(form, reply?.page.querySelector('main')?.textContent.trim() || labels.offline)
    const saved = now.querySelector<HTMLTextAreaElement>('textarea[data-source]')?.value ?? sent
    const isCurrent = text.read() === sent
    const isSaved = reply.page.querySelector('[data-state]') !== null
    for (const name of ['token', 'base', 'save'])
      for (const field of document.querySelectorAll<HTMLInputElement>(`article [name="${name}"]`))
        field.value = control(now, name).value
    exchangeFields(now, text.area)
    // Blank space at the ends is not saved, but may be typed in this moment.
    if (saved.trim() !== sent.trim()) text.merge(sent, saved)
    showResults(form, reply.page)
    if (!isSaved) return
    lastBody = undefined
    control(form, 'summary').value = ''
    history.replaceState(null, '', reply.url)
    onSaved(reply.page, isCurrent)
    void follow(form)
  }
  form.addEventListener('submit', event => {
    const { submitter } = event
    if (!(submitter instanceof HTMLButtonElement) || submitter.value !== 'save') return
    event.preventDefault()
    // Saves wait for each other, since each has the version that the one before left.
    queue = queue.then(() => save(submitter))
  })
  void follow(form)
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

async function request(url: string, options: RequestInit): Promise<{ page: Document; url: string } | undefined> {
  try {
    const reply = await fetch(url, options)
    return { page: new DOMParser().parseFromString(await reply.text(), 'text/html'), url: reply.url }
  } catch {
    return undefined
  }
}

/** Takes over fields with their problems, except values that were typed since, and the text itself. */
function exchangeFields(now: HTMLFormElement, area: HTMLTextAreaElement): void {
  const focused = document.activeElement?.id ?? ''
  for (const fresh of now.querySelectorAll<HTMLElement>('.field')) {
    const id = fresh.querySelector('[id]')?.id ?? ''
    const old = document.getElementById(id)
    const field = old?.closest('.field')
    if (id === 'summary' || !old || !field) continue
    if (old === area) {
      for (const problem of field.querySelectorAll('.problem')) problem.remove()
      field.append(...fresh.querySelectorAll('.problem'))
    } else if (!field.contains(document.activeElement) || fresh.querySelector('.problem')) field.replaceWith(fresh)
  }
  if (document.activeElement?.id !== focused && focused !== '') document.getElementById(focused)?.focus()
}

/** Shows the results of a save next to its button; both versions of a conflict lie above the form. */
function showResults(form: HTMLFormElement, page: Document): void {
  const article = form.closest('article')
  for (const old of article?.querySelectorAll('.result') ?? []) old.remove()
  for (const result of page.querySelectorAll<HTMLElement>('article .result')) {
    result.removeAttribute('autofocus')
    if (!result.matches('p')) {
      form.before(result)
      result.focus()
    } else announce(form, result)
  }
}

function showProblem(form: HTMLFormElement, text = ''): void {
  for (const old of form.querySelectorAll('.result')) old.remove()
  const problem = Object.assign(document.createElement('p'), {
    className: 'result failed',
    role: 'alert',
    textContent: text,
  })
  announce(form, problem)
}

/** Screen readers announce changes of an existing region, so it gets its content later. */
function announce(form: HTMLFormElement, result: HTMLElement): void {
  const content = [...result.childNodes]
  result.replaceChildren()
  form.querySelector('.actions')?.append(result)
  setTimeout(() => result.append(...content), 50)
}

let followed = 0

/** Asks while a saved change waits for its import. A later save ends it. */
async function follow(form: HTMLFormElement): Promise<void> {
  const own = ++followed
  const end = performance.now() + MAX_POLL_MS
  const shown = () => form.closest('article')?.querySelector('[data-state]')
  while (shown()?.getAttribute('data-state') === 'waiting' && performance.now() < end) {
    await new Promise(resolve => setTimeout(resolve, POLL_MS))
    if (document.hidden) continue
    const fresh = (await request(location.href, {}))?.page.querySelector('[data-state]')
    if (own !== followed) return
    const old = shown()
    if (!fresh || !old || fresh.getAttribute('data-state') === 'waiting') continue
    old.className = fresh.className
    old.setAttribute('data-state', fresh.getAttribute('data-state') ?? '')
    old.replaceChildren(...fresh.childNodes)
  }
}
