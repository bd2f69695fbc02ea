// Shows the current position in the list of pages, the list of headings, and the menu of narrow windows.
{
  const side = () => document.querySelector('#Menu')
  const isMenu = () => side()?.matches(':target') && getComputedStyle(side()).position === 'fixed'
  /** While the menu is open, nothing behind it can have the focus; the header stays above it. */
  const lock = () => {
    const isOpen = isMenu() ?? false
    for (const each of document.querySelectorAll('.skip, .subnav, main, .toc, footer')) each.inert = isOpen
    if (!isOpen) return
    showCurrent()
    document.querySelector('.close').focus()
  }
  /** The scroll position when the menu was opened, in case the link to it moved the page. */
  let top = 0
  /** An unused id, so that the page stays: browsers would scroll smoothly, and later, to an existing one. */
  const close = () => {
    location.replace('#!')
    addEventListener(
      'hashchange',
      () => {
        history.replaceState(history.state, '', location.pathname + location.search)
        scrollTo({ top, behavior: 'instant' })
        document.querySelector('.menu').focus({ preventScroll: true })
      },
      { once: true },
    )
  }
  /** Scrolls lists of pages, if necessary, to the link of the current page. */
  const showCurrent = () => {
    for (const list of document.querySelectorAll('#Menu, .subnav')) {
      const current = list.querySelector('[aria-current]')
      if (!current) continue
      const [at, box] = [current.getBoundingClientRect(), list.getBoundingClientRect()]
      if (at.top < box.top || at.bottom > box.bottom) list.scrollTop += at.top - box.top - list.clientHeight / 3
      if (at.left < box.left || at.right > box.right) list.scrollLeft += at.left - box.left - list.clientWidth / 3
    }
  }

  let observer
  /** Marks the heading of the text that is read in the list of headings, while the page scrolls. */
  const follow = () => {
    observer?.disconnect()
    const links = [...document.querySelectorAll('.toc a')]
    const headings = links.map(link => document.getElementById(decodeURIComponent(link.hash.slice(1))))
    const mark = () => {
      const at = headings.findLastIndex(heading => heading?.getBoundingClientRect().top < innerHeight / 4)
      for (const [index, link] of links.entries()) {
        if (index === at) link.setAttribute('aria-current', 'location')
        else link.removeAttribute('aria-current')
      }
      const [list, link] = [document.querySelector('.toc'), links[at]]
      if (link) list.scrollTop = link.offsetTop - list.clientHeight / 2
    }
    observer = new IntersectionObserver(mark, { rootMargin: '0px 0px -75%' })
    for (const heading of headings) if (heading) observer.observe(heading)
  }
  /** Ids and names that authors write in HTML have a prefix, which links from other pages lack. */
  const jump = () => {
    const id = decodeURIComponent(location.hash.slice(1))
    if (id === '' || document.getElementById(id)) return
    const name = `user-content-${id}`
    const target = document.getElementById(name) ?? document.getElementsByName(name)[0]
    target?.scrollIntoView()
  }
  const start = () => {
    showCurrent()
    follow()
    lock()
    jump()
  }

  document.addEventListener('DOMContentLoaded', start)
  document.addEventListener('housestyle:replaced', start)
  addEventListener('hashchange', lock)
  addEventListener('hashchange', jump)
  addEventListener('resize', lock)
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return
    if (isMenu()) close()
    for (const more of document.querySelectorAll('.sections [open], .subnav [open]')) {
      more.open = false
      more.firstElementChild.focus()
    }
  })
  document.addEventListener('click', event => {
    if (event.target.closest('.menu')) top = scrollY
    if (!event.target.closest('.close')) return
    event.preventDefault()
    close()
  })
}
