import type { Labels } from './commands.ts'

/** The first part of the names under which a browser keeps forms. The page that signs out removes all of them. */
const PREFIX = 'housestyle:edit:'
const DELAY_MS = 400

export type KeptText = { keep: () => void; clear: () => void }

/**
 * Keeps a changed form in the browser until it is saved, with the version of the file that the person opened. Offers to
 * restore what an earlier page has kept. `restore` replaces the text of the editor.
 */
export function keptText(form: HTMLFormElement, labels: Labels, restore: (text: string) => void): KeptText {
  const key = PREFIX + location.pathname
  let timer = 0
  const kept = entriesIn(attempt(() => localStorage.getItem(key)))
  if (kept.length > 0 && differs(form, kept))
    form.before(
      offer(labels, isKept => {
        if (isKept) fill(form, kept, restore)
        else attempt(() => localStorage.removeItem(key))
      }),
    )
  return {
    keep: () => {
      clearTimeout(timer)
      timer = setTimeout(() => attempt(() => localStorage.setItem(key, JSON.stringify(entriesOf(form)))), DELAY_MS)
    },
    clear: () => {
      clearTimeout(timer)
      attempt(() => localStorage.removeItem(key))
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
    if (control instanceof HTMLInputElement && control.type === 'checkbox')
      control.checked = kept.some(([name, value]) => name === control.name && value === control.value)
    else if (
      control instanceof HTMLInputElement ||
      control instanceof HTMLTextAreaElement ||
      control instanceof HTMLSelectElement
    ) {
      const value = kept.find(([name]) => name === control.name)?.[1]
      if (value === undefined) continue
      if ('source' in control.dataset) restore(value)
      else control.value = value
    }
  }
  form.dispatchEvent(new Event('input', { bubbles: true }))
}

/** A bar with two buttons, which disappears with the decision. */
function offer(labels: Labels, decide: (isKept: boolean) => void): HTMLElement {
  const bar = document.createElement('div')
  bar.className = 'result warned kept'
  bar.setAttribute('role', 'status')
  const text = Object.assign(document.createElement('p'), { textContent: labels.kept ?? '' })
  const buttons = (['restore', 'discard'] as const).map(name => {
    const button = Object.assign(document.createElement('button'), {
      type: 'button',
      textContent: labels[name] ?? name,
    })
    button.addEventListener('click', () => {
      bar.remove()
      decide(name === 'restore')
    })
    return button
  })
  bar.append(text, ...buttons)
  return bar
}
