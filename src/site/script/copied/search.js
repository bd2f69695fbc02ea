/*
 * Searches a copy of a guide. Its index consists of scripts, because a page opened from a folder cannot read other files.
 * Each calls `housestyleSearch` with the kind, number and content of a piece, and is loaded on first use.
 */
{
  const root = new URL('../../', document.currentScript.src)
  const pieces = {}
  globalThis.housestyleSearch = (kind, at, piece) => {
    pieces[kind] ??= []
    pieces[kind][at] = piece
  }

  const loading = new Map()
  const load = name => {
    const known = loading.get(name)
    if (known) return known
    const script = document.createElement('script')
    const loaded = new Promise((resolve, reject) => {
      script.onload = resolve
      script.onerror = () => {
        loading.delete(name)
        reject(new Error(`cannot load ${script.src}`))
      }
    })
    script.src = new URL(`-/search/index/${name}.js`, root)
    document.head.append(script)
    loading.set(name, loaded)
    return loaded
  }

  // A block has 65,536 numbers: the lower 16 bits of an index are the place in its block.
  const [BITS, MASK] = [16, 0xffff]
  const numbers = text => new Uint32Array(Uint8Array.from(atob(text), byte => byte.charCodeAt(0)).buffer)
  /** A column of numbers in blocks, which are all loaded. */
  const column = (blocks = []) => {
    const known = blocks.map(numbers)
    return {
      at: index => known[index >>> BITS]?.[index & MASK] ?? 0,
      length: () => known.reduce((sum, { length }) => sum + length, 0),
    }
  }
  /** A column whose blocks are loaded on demand: unloaded ones are added to `missing`. */
  const lateColumn = missing => {
    const known = []
    const block = at => {
      if (!pieces.postings?.[at]) missing.add(`postings-${at}`)
      else known[at] ??= numbers(pieces.postings[at])
      return known[at] ?? new Uint32Array()
    }
    return {
      slices: (start, end) => {
        const slices = []
        for (let at = start >>> BITS; at * (MASK + 1) < end; at++) {
          const first = at * (MASK + 1)
          slices.push(block(at).subarray(Math.max(0, start - first), end - first))
        }
        return slices
      },
    }
  }

  let opened
  /** Loads the parts of the index that every search needs. */
  const open = async () => {
    await load('start')
    const [start] = pieces.start
    await Promise.all(Array.from({ length: start.heads }, (_, at) => load(`head-${at}`)))
    const missing = new Set()
    const letters = (pieces.letters ?? []).join('')
    const [termEnds, formSteps, postingEnds, owners] = ['termEnds', 'formSteps', 'postingEnds', 'owners'].map(kind =>
      column(pieces[kind]),
    )
    const words = searchEngine.wordIndex(start.entries, {
      letters,
      termEnds,
      formSteps,
      postingEnds,
      endings: new Set(start.endings),
      postings: lateColumn(missing),
    })
    const ownerOf = entry => (entry < start.things ? entry : start.things + owners.at(entry - start.things))
    return { start, missing, words, ownerOf }
  }

  /** Searches again after missing blocks have loaded; one search at a time, since all share `missing`. */
  let turn = Promise.resolve()
  const find = (index, text) => {
    const found = turn.then(() => findNow(index, text))
    turn = found.catch(() => {})
    return found
  }
  const findNow = async ({ words, missing }, text) => {
    for (;;) {
      missing.clear()
      const found = await words.find(text)
      if (missing.size === 0) return found
      await Promise.all(Array.from(missing, load))
    }
  }

  /** An entry of the index as a result, whose block is loaded first. */
  const shown = async ({ start }, entry, isWanted) => {
    const at = start.entryStarts.findLastIndex(first => first <= entry)
    await load(`entries-${at}`)
    return read(pieces.entries[at][entry - start.entryStarts[at]], isWanted)
  }
  const read = ([path, title, where, text, isWhole, { picture, ...thumb } = {}], isWanted) => {
    const mark = isWhole ? searchEngine.highlight : searchEngine.snippet
    return {
      path: new URL(path, root).href,
      title: searchEngine.highlight(title, isWanted),
      where,
      text: mark(text, isWanted),
      ...thumb,
      ...(picture && { picture: new URL(picture, root).href }),
    }
  }

  /** A CSS colour in hex, as the browser reads it. */
  const hexOf = css => {
    const element = document.body.appendChild(document.createElement('i'))
    element.style.color = `color(from ${css} srgb r g b)`
    const channels = element.style.color && getComputedStyle(element).color.match(/-?\d*\.?\d+(?:e-?\d+)?/g)
    element.remove()
    const byte = share => Math.round(Math.min(1, Math.max(0, share)) * 255)
    return (
      channels &&
      `#${channels
        .slice(0, 3)
        .map(each => byte(each).toString(16).padStart(2, '0'))
        .join('')}`
    )
  }

  const textIn = address => (new URL(address, location.href).searchParams.get('q') ?? '').slice(0, 200).trim()
  /** Searches, and returns the results with `say`, which makes a sentence about their number: `say('found')`. */
  const results = async (text, max) => {
    opened ??= open()
    opened.catch(() => {
      opened = undefined
    })
    const index = await opened
    const { start } = index
    const { words, lang } = start
    const plural = new Intl.PluralRules(lang)
    const said = (form, values) =>
      (form[plural.select(values.count)] ?? form.other).replace(/\{(\w+)\}/g, (_, name) => values[name])
    const found = await find(index, searchEngine.withHexColors(text, hexOf, start.colors))
    const { count, best } = searchEngine.bestHits(
      index,
      found,
      max,
      entry => !start.hidden.includes(entry),
      start.joined,
    )
    const results = await Promise.all(best.map(({ entry }) => shown(index, entry, found.isWanted)))
    const number = value => value.toLocaleString(lang)
    const say = name => said(words[name], { count, number: number(count), shown: number(results.length), text })
    const suggestions = count === 0 ? start.suggestions.map(row => read(row, () => false)) : []
    return { count, hasAll: found.hasAll, results, suggestions, say, someWords: words.someWords.other }
  }

  /** The results for the search field of every page. */
  globalThis.searchCopy = async address => {
    const { count, results: best, suggestions, say } = await results(textIn(address), 8)
    return {
      said: say(count === 0 ? 'none' : 'count'),
      all: count > best.length ? say('all') : undefined,
      results: best,
      suggestions,
    }
  }

  const element = (name, className, ...inside) => {
    const made = document.createElement(name)
    if (className) made.className = className
    made.append(...inside)
    return made
  }
  /** Every second string has matched. */
  const marked = texts => texts.map((text, at) => (at % 2 ? element('mark', '', text) : text))
  const item = ({ path, title, where, text, ...thumb }) => {
    const link = element('a', '', ...marked(title))
    link.href = path
    const lines = element('div', '', link, element('p', 'quiet', where), element('p', '', ...marked(text)))
    return element('li', '', ...searchThumb(thumb), lines)
  }

  /** Fills the search page; the search text is in the address. */
  const start = async () => {
    const page = document.querySelector('article.search')
    const text = textIn(location.href)
    if (!page || text === '') return
    page.querySelector('[name=q]').value = text
    const { count, hasAll, results: best, say, someWords } = await results(text, 50)
    const status = element('p', '')
    status.setAttribute('role', 'status')
    page.append(status)
    if (count === 0) {
      status.append(say('noneFor'))
      page.append(page.querySelector('template').content.cloneNode(true))
    } else {
      status.append(say(count > best.length ? 'best' : 'found'), hasAll ? '' : ` ${someWords}`)
      page.append(element('ol', 'results', ...best.map(item)))
    }
  }
  document.addEventListener('DOMContentLoaded', start)
}
