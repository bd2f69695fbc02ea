// Narrows the list of files by name, and where all of it is on the page by kind; shows pictures on a dark ground.
{
  const plain = words => words.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const nameOf = item =>
    `${item.closest('.folder').querySelector('h2').textContent} ${item.querySelector('.file-name').textContent} ${item.querySelector('img')?.alt ?? ''}`

  const narrowing = (box, status) => {
    const folders = Array.from(document.querySelectorAll('.folder'))
    const items = Array.from(document.querySelectorAll('.files > li'), item => ({ item, words: plain(nameOf(item)) }))
    const all = status.textContent
    return kind => {
      const wanted = plain(box.value).split(/\s+/)
      let found = 0
      for (const { item, words } of items) {
        const isKind = kind === 'all' || item.dataset.kind === kind
        item.hidden = !isKind || !wanted.every(word => words.includes(word))
        if (!item.hidden) found++
      }
      for (const folder of folders) folder.hidden = !folder.querySelector('.files > li:not([hidden])')
      status.textContent = found === items.length ? all : `${found} of ${items.length} files`
    }
  }

  const start = (bar, status) => {
    const box = bar.querySelector('input')
    const links = Array.from(document.querySelectorAll('.kinds[data-whole] a'))
    const narrow = narrowing(box, status)
    let kind = 'all'
    const show = () => {
      narrow(kind)
      const name = box.value.trim()
      const path = links.find(link => link.dataset.kind === kind)?.pathname ?? location.pathname
      history.replaceState(history.state, '', path + (name ? `?name=${encodeURIComponent(name)}` : ''))
    }
    box.addEventListener('input', show)
    for (const link of links)
      link.addEventListener('click', event => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        kind = link.dataset.kind
        for (const each of links) each.toggleAttribute('aria-current', false)
        link.setAttribute('aria-current', 'page')
        show()
      })
    const ground = bar.querySelector('button')
    ground?.addEventListener('click', () => {
      const isDark = document.body.classList.toggle('dark-ground')
      ground.setAttribute('aria-pressed', String(isDark))
    })
    box.value = new URLSearchParams(location.search).get('name') ?? box.value
    if (box.value) narrow(kind)
  }

  document.addEventListener('DOMContentLoaded', () => {
    const [bar, status] = ['.narrow', '.found'].map(name => document.querySelector(name))
    if (bar) start(bar, status)
  })
}
