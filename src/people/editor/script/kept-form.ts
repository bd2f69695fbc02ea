import { button, type Labels } from './commands.ts'
import { whenSent } from './saving.ts'

/** The first part of the names under which a browser keeps forms. The page that signs out removes all of them. */
const PREFIX = 'housestyle:edit:'
/** The form that this tab sent without its script, and the query of its page. */
const SENT = 'housestyle:sent'
const DELAY_MS = 400
/** The letters of a change that are shown, which tell it from others. */
const EXCERPT = 60

/**
 * Forgets the form that this tab sent before this page was loaded, if the page says that it was saved, or if the page shows
 * it again, where it is kept again. The store of the tab has its key and the query of its page, on two lines.
 */
export function dropSaved(): void {
  const [name = '', query] = (attempt(() => sessionStorage.getItem(SENT)) ?? '').split('\n')
  // The form of a new page leads to its text, which is kept apart.
  const isDone = document.querySelector('[data-state]') !== null || location.search.includes('title=')
  if ((isDone && location.search !== query) || document.querySelector('[data-unsaved]'))
    attempt(() => localStorage.removeItem(name))
  attempt(() => sessionStorage.removeItem(SENT))
}

/**
 * Keeps a changed form in the browser until it is saved, with the version of the file that the person opened: each tab
 * its own. Offers to restore what an earlier page has kept, which the service then shows in its form. Says if the browser
 * keeps nothing. Returns the function that forgets the form.
 */
export function keepForm(form: HTMLFormElement, labels: Labels): () => void {
  const page = `${PREFIX}${location.pathname}?`
  const own = `${page}${Date.now()}${Math.random()}`
  const warning = Object.assign(document.createElement('p'), {
    className: 'result warned kept',
    role: 'alert',
    textContent: labels.full,
  })
  let timer = 0
  const stopTimer = () => {
    clearTimeout(timer)
    timer = 0
  }
  const keep = () => {
    stopTimer()
    const value = `${Date.now()}\n${JSON.stringify(entriesOf(form))}`
    if (attempt(() => localStorage.setItem(own, value) ?? true)) warning.remove()
    else form.before(warning)
  }
  const mark = (name: string) => attempt(() => sessionStorage.setItem(SENT, `${name}\n${location.search}`))
  for (const name of attempt(() => Object.keys(localStorage).sort()) ?? [])
    if (name.startsWith(page)) offerKept(form, labels, name, () => mark(name))
  if (form.closest('[data-unsaved]')) keep()
  form.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(keep, DELAY_MS)
  })
  addEventListener('pagehide', () => timer > 0 && keep())
  whenSent(form, () => mark(own))
  return () => {
    stopTimer()
    attempt(() => localStorage.removeItem(own))
  }
}

/** The result of an action of the browser's store; undefined if that is closed or full, which throws. */
function attempt<Value>(action: () => Value): Value | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}

type Entry = [name: string, value: string]

/** The fields that nobody types. */
const OWN_FIELDS: readonly string[] = ['base', 'opened', 'save']

/** The fields of a form, without its token, its files, its questions and the commit that it undoes. */
function entriesOf(form: HTMLFormElement): Entry[] {
  const entries = [...new FormData(form)].flatMap(([name, value]): Entry[] =>
    typeof value === 'string' ? [[name, value]] : [],
  )
  return entries.filter(([name]) => !['token', 'commit', 'sure', 'decided'].includes(name))
}

/** The fields in the JSON of a kept form; none if it is damaged. */
function entriesIn(json: string): Entry[] {
  const parsed: unknown = attempt(() => JSON.parse(json))
  return Array.isArray(parsed) ? parsed.map(([name, value]) => [`${name}`, `${value}`]) : []
}

/** Offers to restore a kept form, with its time and the first words that differ from the page; forgets an equal one. */
function offerKept(form: HTMLFormElement, labels: Labels, name: string, mark: () => void): void {
  const [time = '', json = ''] = (localStorage.getItem(name) ?? '').split('\n')
  const kept = entriesIn(json)
  const shown = entriesOf(form)
  const forget = () => localStorage.removeItem(name)
  const changed = changesIn(kept, shown)
  if (changed.length === 0 && changesIn(shown, kept).length === 0) {
    forget()
    return
  }
  const bar = Object.assign(document.createElement('div'), { className: 'result warned kept', role: 'status' })
  const text = Object.assign(document.createElement('p'), { textContent: `${labels.kept} ${timeOf(Number(time))} ` })
  const [[field, value] = ['', '']] = changed
  const excerpt = excerptOf(value, shown.find(entry => entry[0] === field)?.[1])
  text.append(Object.assign(document.createElement('q'), { textContent: excerpt, dir: 'auto' }))
  const restore = button(labels.restore, () => {
    mark()
    restoreForm(form, kept)
  })
  const discard = button(labels.discard, () => {
    forget()
    bar.remove()
  })
  bar.append(text, restore, discard)
  form.before(bar)
}

/** The fields of a form that people type, if another form does not have them with these values. */
function changesIn(entries: readonly Entry[], others: readonly Entry[]): Entry[] {
  const known = new Set(others.map(entry => JSON.stringify(entry)))
  return entries.filter(entry => !OWN_FIELDS.includes(entry[0]) && !known.has(JSON.stringify(entry)))
}

/** The start of a value from the first word that differs from an earlier value. */
function excerptOf(value: string, before = ''): string {
  let at = 0
  while (at < value.length && value[at] === before[at]) at++
  const start = Math.max(value.lastIndexOf(' ', at - 1), value.lastIndexOf('\n', at - 1)) + 1
  const words = value.slice(start).trim()
  return words.length <= EXCERPT ? words : `${words.slice(0, EXCERPT)}…`
}

/** A time in the language of the page, as in "4 May 2025 at 14:30". */
function timeOf(milliseconds: number): string {
  const { lang } = document.documentElement
  const style = { dateStyle: 'long', timeStyle: 'short', numberingSystem: 'latn' } as const
  return new Intl.DateTimeFormat(lang === 'en' ? 'en-GB' : lang, style).format(milliseconds)
}

/** Sends a kept form, which the service shows with the version that it is about, and saves nowhere. */
function restoreForm({ action }: HTMLFormElement, kept: readonly Entry[]): void {
  const form = Object.assign(document.createElement('form'), { method: 'post', action, hidden: true })
  for (const [name, value] of [...kept, ['do', 'restore']])
    form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }))
  document.body.append(form)
  // No question whether to leave the page: what is typed on it is kept, too.
  addEventListener('beforeunload', event => event.stopImmediatePropagation(), { capture: true })
  form.submit()
}
