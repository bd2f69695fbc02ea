// Filters the list of files by name, and by kind if the whole list is on the page.
{
  const find = name => document.querySelector(name)
  const plain = words => words.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const nameOf = item =>
    [
      item.closest('.folder').querySelector('h2').textContent,
      item.querySelector('.file-name').textContent,
      item.querySelector('img')?.alt,
      ...Array.from(item.querySelectorAll('[download]'), link => link.download),
    ].join(' ')

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
    const found = items.filter(item => !item.hidden).length
    status.textContent = found === items.length ? status.dataset.all : status.dataset.some.replace('{found}', found)
  }
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

  // An address may have about 7,000 characters.
  const count = () => {
    const form = find('form.choice')
    if (!form) return
    const button = form.querySelector('[data-many]')
    button.disabled = new URLSearchParams(new FormData(form)).toString().length > 7000
    const chosen = form.querySelectorAll(':checked').length
    const many = button.disabled ? `: ${button.dataset.many}` : ''
    button.lastElementChild.textContent = chosen ? `(${chosen}${many})` : ''
  }

  document.addEventListener('change', count)
  document.addEventListener('reset', () => setTimeout(count))
  addEventListener('pageshow', count)
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
}
