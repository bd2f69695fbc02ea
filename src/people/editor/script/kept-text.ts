import { button, type Labels } from './commands.ts'

/** The first part of the names under which a browser keeps forms. The page that signs out removes all of them. */
const PREFIX = 'housestyle:edit:'
const DELAY_MS = 400

/**
 * Keeps a changed form in the browser until it is saved, with the version of the file that the person opened: each tab
 * its own. Offers to restore what an earlier page has kept. `restore` replaces the text of the editor. Returns the function
 * that forgets the form.
 */
export function keepText(form: HTMLFormElement, labels: Labels, restore: (text: string) => void): () => void {
  const storage = attempt(() => localStorage)
  if (!storage) return () => {}
  const page = `${PREFIX}${location.pathname}?`
  const own = `${page}${Date.now()}${Math.random()}`
  let timer = 0
  const keep = () => attempt(() => storage.setItem(own, JSON.stringify(entriesOf(form))))
  const names = Object.keys(storage).filter(name => name.startsWith(page))
  for (const name of names.sort()) {
    const kept = entriesIn(storage.getItem(name))
    const differs = kept.length > 0 && contentOf(kept) !== contentOf(entriesOf(form))
    const decide = (isWanted: boolean) => {
      storage.removeItem(name)
      if (!isWanted) return
      fill(form, kept, restore)
      keep()
    }
    if (differs) form.before(offer(labels, decide))
    else decide(false)
  }
  form.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(keep, DELAY_MS)
  })
  return () => {
    clearTimeout(timer)
    storage.removeItem(own)
  }
}

type Entry = [name: string, value: string]

/** A private window, or a full store, keeps nothing. */
function attempt<Value>(action: () => Value): Value | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}

function entriesIn(json: string | null): Entry[] {
  const parsed: unknown = attempt(() => JSON.parse(json ?? '[]'))
  return Array.isArray(parsed) ? parsed.map(([name, value]) => [`${name}`, `${value}`]) : []
}

/** The fields of a form, without its token and the ids of its saves. */
function entriesOf(form: HTMLFormElement): Entry[] {
  const entries = Array.from(new FormData(form), ([name, value]): Entry => [name, `${value}`])
  return entries.filter(([name]) => !['token', 'save', 'commit'].includes(name))
}

function contentOf(entries: readonly Entry[]): string {
  return JSON.stringify(entries.filter(([name]) => name !== 'base'))
}

function fill(form: HTMLFormElement, kept: readonly Entry[], restore: (text: string) => void): void {
  for (const control of form.elements) {
    if (!('name' in control && 'value' in control)) continue
    const values = kept.flatMap(([name, value]) => (name === control.name ? [value] : []))
    if (control instanceof HTMLInputElement && control.type === 'checkbox')
      control.checked = values.includes(control.value)
    else if (control instanceof HTMLElement && 'source' in control.dataset) restore(values[0] ?? '')
    else if (values[0] !== undefined) control.value = values[0]
  }
  form.dispatchEvent(new Event('input', { bubbles: true }))
}

/** A bar with two buttons, which disappears with the decision. */
function offer(labels: Labels, decide: (isWanted: boolean) => void): HTMLElement {
  const bar = Object.assign(document.createElement('div'), { className: 'result warned kept', role: 'status' })
  const choices = ['restore', 'discard'].map(name =>
    button(labels[name], () => {
      bar.remove()
      decide(name === 'restore')
    }),
  )
  bar.append(Object.assign(document.createElement('p'), { textContent: labels.kept ?? '' }), ...choices)
  return bar
}
