/* Keeps what people write: finds changes that others saved meanwhile, shows both versions, and merges them. */
{
  /** Entries have one language. */
  const localeOf = ({ locales }) => Object.values(locales)[0]
  const valuesOf = ({ currentValues }) => Object.values(currentValues)[0]

  const formatOf = path =>
    window.housestyleSaves.formats.get(path.endsWith('.md') ? 'page' : path.replace(/^.*\/|\.yaml$/g, ''))

  /** The version of the file on which a form is based. */
  const baseOf = ({ source }) => {
    const { base } = Object(JSON.parse(source || '""'))
    return base ?? JSON.parse(source || '""')
  }

  const isAbsent = value =>
    value === undefined || value === null || value === '' || (typeof value === 'object' && !Object.keys(value).length)

  /** A folder has no commits: only the file on disk tells its changes. */
  const rereadFolder = async ({ backend, entries, flatten }, entry) => {
    const { path, content } = localeOf(entry)
    const file = await backend.fetchBlob({ path }).catch(() => undefined)
    const text = file && new TextDecoder('utf-8', { ignoreBOM: true }).decode(await file.arrayBuffer())
    if (text === baseOf(content)) return
    const others = entries.current.filter(({ id }) => id !== entry.id)
    entries.current = text === undefined ? others : [...others, withText(entry, text, flatten)]
  }

  const withText = (entry, text, flatten) => {
    const [[name, locale]] = Object.entries(entry.locales)
    const content = flatten(formatOf(locale.path).fromFile(text))
    return { ...entry, locales: { [name]: { ...locale, content } } }
  }

  const findConflict = async ({ draft, proposal, ...library }) => {
    const { path } = localeOf(draft.originalEntry)
    const find = () => library.entries.current.find(entry => localeOf(entry).path === path)
    const before = find()
    if (before && !library.backend.isGit) await rereadFolder(library, before)
    const entry = proposal ?? find()
    if (!entry) return { type: 'deleted' }
    return baseOf(localeOf(entry).content) === baseOf(valuesOf(draft)) ? undefined : { type: 'modified', entry }
  }

  const showConflict = library => {
    const { conflict, draft, unflatten } = library
    const { path } = localeOf(draft.originalEntry)
    const mine = formatOf(path).toFile(unflatten({ ...valuesOf(draft) }))
    if (conflict.type === 'deleted')
      return window.housestyleDialog.showDeleted({ mine, save: () => saveForm({ overwrite: true }) })
    const theirs = baseOf(localeOf(conflict.entry).content)
    const passages = window.housestyleFormats.versions.passagesOf(baseOf(valuesOf(draft)), mine, theirs)
    const save = text => saveMerged(library, { path, text, theirs })
    const { name, login } = conflict.entry.commitAuthor ?? {}
    window.housestyleDialog.showVersions({ passages, who: name || login, isPage: path.endsWith('.md'), save })
  }

  /** Saves as the button of the form does, once the dialogue is closed and the form is drawn. */
  const saveForm = options => void setTimeout(() => window.housestyleSaves.save(options))

  /** Puts a text into the form, based on the version of others, and saves it. Throws if it is not a valid file. */
  const saveMerged = async ({ conflict, draft, flatten, reload }, { path, text, theirs }) => {
    const source = JSON.stringify({ text, base: theirs })
    const values = { ...flatten(formatOf(path).fromFile(text)), source }
    const next = await reload(conflict.entry)
    const target = valuesOf(next)
    for (const key of Object.keys(target)) if (!(key in values)) delete target[key]
    Object.assign(target, values)
    Object.assign(next.files, draft.files)
    next.interacted = true
    saveForm()
  }

  const isUnchanged = (entry, changes) =>
    entry &&
    changes.length === 1 &&
    changes[0].action === 'update' &&
    changes[0].data === baseOf(localeOf(entry).content)

  /** The saved text is what the next change is based on. */
  const reread = (entry, change, flatten) => {
    if (typeof change?.data === 'string') Object.assign(entry, withText(entry, change.data, flatten))
  }

  /** The library's store of drafts finishes too late if the page ends: until then, a draft without new pictures is also here. */
  const storeAtOnce = store => {
    const placeOf = key => ['housestyle', location.pathname, ...key].join(' ')
    const forget = key => localStorage.removeItem(placeOf(key))
    return {
      put: async draft => {
        const key = [draft.collectionName, draft.slug]
        if (!Object.keys(draft.files).length) localStorage.setItem(placeOf(key), JSON.stringify(draft))
        await store.put(draft)
        forget(key)
      },
      get: key => {
        const draft = JSON.parse(localStorage.getItem(placeOf(key)))
        return draft ? { ...draft, timestamp: new Date(draft.timestamp) } : store.get(key)
      },
      delete: key => {
        forget(key)
        return store.delete(key)
      },
    }
  }

  /** Files that the forms cannot show, as entries by path: they may use files, too. */
  const leftOut = new Map()

  const readEntry = (path, text, parse) => {
    leftOut.delete(path)
    try {
      return parse(text)
    } catch (error) {
      const content = { title: path, source: JSON.stringify(text) }
      leftOut.set(path, { id: path, slug: path, subPath: path, locales: { _default: { slug: path, path, content } } })
      throw new Error(`${path}: ${error.message}`, { cause: error })
    }
  }

  const bytesOf = part => Uint8Array.from(part.slice(1).split('%'), hex => Number.parseInt(hex, 16))
  const decoded = text =>
    text
      .replace(/(?:%[\da-f]{2})+/gi, part => new TextDecoder().decode(bytesOf(part)))
      .replace(/\\(?=[^\w\s])/g, '')
      .replaceAll('&amp;', '&')
      .normalize('NFC')

  /** The entries that name a file, by its path from their nearest common folder: in a value, a key or a text. */
  const usesOf = (file, entries) =>
    [...entries, ...leftOut.values()].filter(entry => {
      const { path, content } = localeOf(entry)
      const [from, to] = [path, file].map(each => each.split('/'))
      const same = to.findIndex((folder, at) => folder !== from[at])
      const name = to
        .slice(same)
        .join('/')
        .normalize('NFC')
        .replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')
      const use = new RegExp(`(?<![\\p{L}\\p{N}_./-])(?:\\.{0,2}/)*${name}(?![\\p{L}\\p{N}_/-]|\\.\\p{L})`, 'u')
      return [baseOf(content), ...Object.values(content)].some(text => use.test(decoded(`${text}`)))
    })

  const formats = new Map()
  const conflicts = { findConflict, showConflict, isAbsent, isUnchanged, reread, storeAtOnce }
  window.housestyleSaves = { formats, ...conflicts, readEntry, usesOf }
}
