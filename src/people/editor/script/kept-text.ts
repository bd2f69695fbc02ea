import { button, type Labels } from './commands.ts'

/** The first part of the names under which a browser keeps forms. The page that signs out removes all of them. */
const PREFIX = 'housestyle:edit:'
const DELAY_MS = 400

export type KeptText = { keep: () => void; clear: () => void }

/**
 * Keeps a changed form in the browser until it is saved, with the version of the file that the person opened: each tab
 * its own. Offers to restore what an earlier page has kept. `restore` replaces the text of the editor.
 */
export function keptText(form: HTMLFormElement, labels: Labels, restore: (text: string) => void): KeptText {
  const page = `${PREFIX}${location.pathname}`
  const own = `${page}?${Date.now()}${Math.random()}`
  let timer = 0
  const keep = () =>
    attempt(() => {
      localStorage.setItem(own, JSON.stringify(entriesOf(form)))
      return true
    })
  const names = attempt(() => Object.keys(localStorage).filter(name => name.startsWith(`${page}?`))) ?? []
  for (const name of names.sort()) {
    const forget = () => attempt(() => localStorage.removeItem(name))
    const kept = entriesIn(attempt(() => localStorage.getItem(name)))
    if (kept.length === 0 || !differs(form, kept)) forget()
    else
      form.before(
        offer(labels, isWanted => {
          if (isWanted) fill(form, kept, restore)
          if (!isWanted || keep()) forget()
        }),
      )
  }
  return {
    keep: () => {
      clearTimeout(timer)
      timer = setTimeout(keep, DELAY_MS)
    },
    clear: () => {
      clearTimeout(timer)
      attempt(() => localStorage.removeItem(own))
    },
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

function entriesIn(json: string | null | undefined): Entry[] {
  const parsed: unknown = attempt(() => JSON.parse(json ?? '[]'))
  return Array.isArray(parsed) ? parsed.map(([name, value]) => [`${name}`, `${value}`]) : []
}

/** The fields of a form, without its token and the id of its next save. */
function entriesOf(form: HTMLFormElement): Entry[] {
  return Array.from(new FormData(form), ([name, value]): Entry => [name, `${value}`]).filter(
    ([name]) => name !== 'token' && name !== 'save',
  )
}

function differs(form: HTMLFormElement, kept: readonly Entry[]): boolean {
  const content = (entries: readonly Entry[]) => JSON.stringify(entries.filter(([name]) => name !== 'base'))
  return content(entriesOf(form)) !== content(kept)
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
  const text = Object.assign(document.createElement('p'), { textContent: labels.kept ?? '' })
  const choice = (name: string) =>
    button(labels[name], () => {
      bar.remove()
      decide(name === 'restore')
    })
  bar.append(text, choice('restore'), choice('discard'))
  return bar
}
