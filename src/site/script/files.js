// Filters the list of files by name, and by kind if the whole list is on the page. Keeps the selection of files for the tab,
// which may include files that other pages list.
{
  const find = name => document.querySelector(name)
  /** Text as it is compared: without accents, and in lower case. */
  const plain = words => words.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  /** Everything by which an item is found: its folder, its name, its description and the names of its files. */
  const nameOf = item =>
    [
      ...Array.from(item.closest('.folder').querySelectorAll('h2, .above'), title => title.textContent),
      item.querySelector('.file-name').textContent,
      item.querySelector('img')?.alt,
      ...Array.from(item.querySelectorAll('[download]'), link => link.download),
    ].join(' ')

  /** Hides the items that do not fit the name in the field and the chosen kind, and says how many are left. */
  const narrow = () => {
    const [box, status] = [find('.narrow input'), find('.found')]
    const kind = find('.kinds[data-whole] [aria-current]')?.dataset.kind ?? 'all'
    const wanted = plain(box.value).split(/\s+/)
    const items = Array.from(document.querySelectorAll('.files > li'))
    for (const item of items) {
      const words = plain(nameOf(item))
      item.hidden = (kind !== 'all' && item.dataset.kind !== kind) || !wanted.every(word => words.includes(word))
    }
    for (const folder of document.querySelectorAll('.folder'))
      folder.hidden = !folder.querySelector('.files > li:not([hidden])')
    status.dataset.all ??= status.textContent
    const usable = items.filter(item => !item.matches('.over'))
    const found = usable.filter(item => !item.hidden).length
    status.textContent = found === usable.length ? status.dataset.all : status.dataset.some.replace('{found}', found)
  }
  /** Filters, and puts the name and the kind into the address of the page. */
  const show = () => {
    narrow()
    // A page opened from a folder may not change its address.
    if (location.protocol === 'file:') return
    const path = find('.kinds[data-whole] [aria-current]')?.pathname ?? location.pathname
    const name = find('.narrow input').value.trim()
    const rest = location.search.replace(/[?&]name=[^&]*/g, '').replace(/^&/, '?')
    const own = name && `${rest ? '&' : '?'}name=${encodeURIComponent(name)}`
    history.replaceState(history.state, '', path + rest + own)
  }

  /** The paths of all selected files; this page may not list some of them. */
  let chosen = new Set()
  /** Checks the boxes of selected files on this page, and adds hidden fields for the others to the form. */
  const showChosen = () => {
    const form = find('form.choice')
    if (!form) return
    for (const kept of form.querySelectorAll('.kept')) kept.remove()
    const rest = new Set(chosen)
    for (const box of form.querySelectorAll('[type=checkbox]')) {
      box.checked = chosen.has(box.value)
      rest.delete(box.value)
    }
    for (const value of rest)
      form.append(
        Object.assign(document.createElement('input'), { type: 'hidden', name: 'path', className: 'kept', value }),
      )
    const button = form.querySelector('[data-many]')
    // An address may have about 7,000 characters.
    button.disabled = new URLSearchParams(new FormData(form)).toString().length > 7000
    const many = button.disabled ? `: ${button.dataset.many}` : ''
    button.lastElementChild.textContent = chosen.size ? `(${chosen.size}${many})` : ''
  }
  /** The archive of a guide names its selection. */
  const keep = ({ action }) => {
    try {
      sessionStorage.setItem(action, JSON.stringify([...chosen]))
    } catch {} // The browser may store nothing.
    showChosen()
  }
  const restore = () => {
    const form = find('form.choice')
    if (!form) return
    try {
      chosen = new Set(JSON.parse(sessionStorage.getItem(form.action)))
    } catch {}
    if (!form.matches('[data-whole]')) return showChosen()
    // A later revision may have removed files, of which there is no archive.
    const boxes = Array.from(form.querySelectorAll('[type=checkbox]'), ({ value }) => value)
    chosen = new Set(boxes.filter(value => chosen.has(value)))
    keep(form)
  }

  document.addEventListener('change', ({ target }) => {
    if (!target.matches('.choice [type=checkbox]')) return
    if (target.checked) chosen.add(target.value)
    else chosen.delete(target.value)
    keep(target.form)
  })
  document.addEventListener('reset', ({ target }) => {
    if (!target.matches('.choice')) return
    chosen.clear()
    keep(target)
  })
  addEventListener('pageshow', restore)
  document.addEventListener('input', event => {
    if (event.target.matches('.narrow input')) show()
  })
  document.addEventListener('click', event => {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    const link = event.target.closest('.kinds[data-whole] a')
    if (link && isPlain) {
      event.preventDefault()
      find('.kinds [aria-current]')?.removeAttribute('aria-current')
      link.setAttribute('aria-current', 'page')
      show()
    }
  })
  const start = () => {
    const box = find('.narrow input')
    if (!box) return
    box.value ||= new URLSearchParams(location.search).get('name') ?? ''
    if (box.value) narrow()
  }
  document.addEventListener('DOMContentLoaded', start)
  document.addEventListener('housestyle:replaced', start)
  document.addEventListener('housestyle:replaced', restore)
}
