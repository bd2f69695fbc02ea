// Shows results during typing, as a combobox (ARIA Authoring Practices). Inserts strings as text, never as HTML.
{
  const set = (element, attributes) => {
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
    return element
  }
  const make = (tag, attributes, ...inside) => {
    const element = set(document.createElement(tag), attributes)
    element.append(...inside)
    return element
  }
  /** Every second string has matched. */
  const marked = texts => texts.map((text, at) => (at % 2 ? make('mark', {}, text) : text))
  /** The small picture of a result: a colour, a picture, or a sign such as `Aa`; none of a result without any. */
  const thumb = ({ hex, picture, look = '', sign }) => {
    if (!hex && !picture && !sign) return []
    if (!hex) {
      const inside = picture ? make('img', { src: picture, alt: '' }) : sign
      return [make('span', { class: `thumb ${look}`, 'aria-hidden': true }, inside)]
    }
    const [svg, rect] = ['svg', 'rect'].map(name => document.createElementNS('http://www.w3.org/2000/svg', name))
    svg.append(set(rect, { width: '100%', height: '100%', fill: hex }))
    return [set(svg, { 'aria-hidden': true })]
  }
  globalThis.searchThumb = thumb
  const option = (at, path, ...inside) =>
    make('a', { role: 'option', id: `Hit-${at}`, tabindex: -1, href: path }, ...inside)
  /** A result as an option of the list. */
  const shown = ({ path, title, where, text, ...picture }, at) => {
    const values = make('bdi', { dir: picture.hex ? 'ltr' : 'auto' }, ...marked(text))
    const quiet = make('span', { class: 'quiet' }, values)
    const lines = make('span', {}, make('b', {}, ...marked(title)), ' ', make('small', {}, where), ' ', quiet)
    return option(at, path, ...thumb(picture), lines)
  }

  /** The list of options below a field; `active` is the index of the selected one, or -1 while the field is. */
  const listbox = (field, list) => {
    let options = []
    let active = -1
    /** Selects an option, or the field with -1. */
    const choose = at => {
      active = at
      for (const [index, option] of options.entries()) option.setAttribute('aria-selected', index === at)
      if (at < 0) return field.removeAttribute('aria-activedescendant')
      field.setAttribute('aria-activedescendant', options[at].id)
      options[at].scrollIntoView({ block: 'nearest' })
    }
    const show = isOpen => {
      list.hidden = !isOpen
      field.setAttribute('aria-expanded', isOpen)
      choose(-1)
    }
    const fill = (found, isEmpty) => {
      options = found
      list.replaceChildren(...(isEmpty ? [make('p', {}, field.form.dataset.none)] : []), ...found)
      show(document.activeElement === field)
    }
    /** Selects the next or previous option; the field is between the last and the first one. */
    const move = step => {
      if (list.hidden) show(true)
      const places = options.length + 1
      choose(((active + 1 + step + places) % places) - 1)
    }
    /** The functions of keys in the present state; false for a key without one. */
    const actions = () => ({
      ArrowDown: options.length > 0 && (() => move(1)),
      ArrowUp: options.length > 0 && (() => move(-1)),
      Enter: active >= 0 && (() => options[active].click()),
      Escape: !list.hidden && (() => show(false)),
    })
    field.addEventListener('keydown', event => {
      const act = !event.isComposing && actions()[event.key]
      if (!act) return
      event.preventDefault()
      act()
    })
    return { show, fill }
  }

  const searchService = async (address, signal) => {
    const reply = await fetch(address, { headers: { accept: 'application/json' }, signal })
    if (!reply.ok) throw new Error(`the search gave ${reply.status}`)
    return reply.json()
  }
  /** A copy in a folder has its own search. */
  const search = async (address, signal) => {
    const { said, all, results, suggestions = [] } = await (globalThis.searchCopy ?? searchService)(address, signal)
    const rest = all ? [option(results.length, address, all)] : []
    return { said, options: [...[...results, ...suggestions].map(shown), ...rest], isEmpty: !results.length }
  }

  const start = form => {
    const field = form.elements.q
    const list = make('div', { id: 'Hits', class: 'hits', role: 'listbox', 'aria-label': form.dataset.results })
    const heard = make('span', { class: 'heard', 'aria-live': 'polite' })
    const { show, fill } = listbox(field, list)
    let timer
    let asking
    const ask = async () => {
      asking = new AbortController()
      const { signal } = asking
      const address = `${form.action}?${new URLSearchParams({ q: field.value })}`
      const { said, options, isEmpty } = await search(address, signal)
      if (signal.aborted) return
      heard.textContent = said
      fill(options, isEmpty)
    }
    /** A service that is busy, for example with its first search, gets the same question again, less and less often. */
    const askAfter = (ms, retryMs) => {
      timer = setTimeout(() => {
        const asked = ask()
        const { signal } = asking
        asked.catch(() => signal.aborted || askAfter(retryMs, retryMs * 2))
      }, ms)
    }
    field.addEventListener('input', () => {
      clearTimeout(timer)
      asking?.abort()
      if (field.value.trim()) {
        askAfter(80, 1000)
      } else {
        fill([])
        show(false)
      }
    })
    field.addEventListener('blur', () => show(false))
    list.addEventListener('mousedown', event => event.preventDefault())
    // Not `/`: a key without Ctrl would interfere with speech input (WCAG 2.1.4).
    document.addEventListener('keydown', event => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
      event.preventDefault()
      field.select()
    })
    set(field, { role: 'combobox', 'aria-autocomplete': 'list', 'aria-controls': 'Hits' })
    set(field, { 'aria-keyshortcuts': 'Control+K Meta+K' })
    show(false)
    form.append(list, heard)
  }

  document.addEventListener('DOMContentLoaded', () => {
    const form = document.querySelector('form.find')
    if (form) start(form)
  })
}
