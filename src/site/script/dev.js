// Only in `dev`: updates the page in place after a publication, and shows problems with the files.
{
  const script = document.currentScript
  /** The versions of the guide that this page shows, and that the service serves. */
  let shown = script.dataset.version
  let wanted = shown
  let isRenewing = false
  /** The original body, before scripts changed it. */
  let sent

  /** Requests this page until it is the served version. */
  const renew = async () => {
    // A form keeps the version that the person opened, with what they typed.
    if (isRenewing || document.querySelector('form[data-edit]')) return
    isRenewing = true
    try {
      while (shown !== wanted) {
        const version = wanted
        await replace(version)
        shown = version
      }
    } catch {
      // The service is unavailable. Its first event after a restart triggers this again.
    }
    isRenewing = false
  }

  /** Requests this page, and shows it in place; reloads it if its scripts have changed, or if the reply is not a page. */
  const replace = async version => {
    const reply = await fetch(location.href, { headers: { accept: 'text/html' }, cache: 'no-cache' })
    const isPage = reply.headers.get('content-type')?.startsWith('text/html')
    if (!isPage && !reply.ok) throw new Error('not answered')
    const fresh = new DOMParser().parseFromString(await reply.text(), 'text/html')
    if (!isPage || scriptsOf(fresh) !== scriptsOf(document)) return location.reload()
    try {
      await exchange(fresh, version)
    } catch {
      if (shown) location.reload() // Not repeatedly, if a page fails before it shows anything.
    }
  }

  /** Changes this page to a fresh copy of it: new style sheets first, then the content, then old style sheets go. */
  const exchange = async (fresh, version) => {
    const undress = await dress(fresh, version)
    document.title = fresh.title
    const before = sent
    sent = fresh.body.cloneNode(true)
    keepingFocus(() => change(document.body, before, fresh.body))
    undress()
    document.dispatchEvent(new Event('housestyle:replaced'))
  }

  const scriptsOf = page => Array.from(page.querySelectorAll('head script'), each => each.getAttribute('src')).join()

  /**
   * Gives a node on the page (`live`) the content of its new original (`now`), and changes only what differs from its old
   * original (`before`). Content that scripts added stays. Equal children at the start and at the end are skipped; those
   * between are changed one by one if they are as many as before, otherwise replaced.
   */
  const change = (live, before, now) => {
    if (before.isEqualNode(now)) return
    const [lives, olds, news] = [live, before, now].map(node => [...node.childNodes])
    const isElement = live.nodeType === Node.ELEMENT_NODE
    if (!isElement || live.nodeName !== now.nodeName || before.nodeName !== now.nodeName || lives.length < olds.length)
      return live.replaceWith(now)
    changeAttributes(live, before, now)
    const most = Math.min(olds.length, news.length)
    let start = 0
    while (start < most && olds[start].isEqualNode(news[start])) start++
    let end = 0
    while (end < most - start && olds.at(-1 - end).isEqualNode(news.at(-1 - end))) end++
    if (olds.length === news.length) {
      for (let at = start; at < olds.length - end; at++) change(lives[at], olds[at], news[at])
      return
    }
    for (const old of lives.slice(start, olds.length - end)) old.remove()
    const next = lives[olds.length - end] ?? null
    for (const added of news.slice(start, news.length - end)) live.insertBefore(added, next)
  }

  const changeAttributes = (live, before, now) => {
    for (const { name, value } of now.attributes)
      if (before.getAttribute(name) !== value) live.setAttribute(name, value)
    for (const { name } of before.attributes) if (!now.hasAttribute(name)) live.removeAttribute(name)
  }

  /** Restores the focus on a replaced element, by its id or else by its position. */
  const keepingFocus = work => {
    const { activeElement, body } = document
    const way = []
    for (let node = activeElement; node !== body && node?.parentElement; node = node.parentElement)
      way.unshift([...node.parentElement.children].indexOf(node))
    work()
    if (!activeElement || activeElement === body || activeElement.isConnected) return
    const atPlace = way.reduce((node, index) => node?.children[index], document.body)
    const again = (activeElement.id && document.getElementById(activeElement.id)) || atPlace
    if (again?.nodeName === activeElement.nodeName) again.focus({ preventScroll: true })
  }

  // The style sheets of a page, the path of one without its query, and its rules as text.
  const sheetsOf = page => [...page.querySelectorAll('link[rel="stylesheet"]')]
  const pathOf = link => new URL(link.getAttribute('href'), location.href).pathname
  const rulesOf = sheet => Array.from(sheet?.cssRules ?? [], rule => rule.cssText).join('\n')

  /** Whether a loaded style sheet is up to date. */
  const isCurrent = async link => {
    const path = pathOf(link)
    if (path.startsWith('/assets/')) return true
    try {
      const text = await (await fetch(path, { cache: 'no-cache' })).text()
      return rulesOf(await new CSSStyleSheet().replace(text)) === rulesOf(link.sheet)
    } catch {
      return false
    }
  }

  /** Loads the missing style sheets of a page; returns a function that removes those the page no longer has. */
  const dress = async (fresh, version) => {
    const old = sheetsOf(document)
    const kept = new Set()
    const loading = sheetsOf(fresh).map(async link => {
      const path = pathOf(link)
      const there = old.find(each => pathOf(each) === path)
      if (there && (await isCurrent(there))) kept.add(there)
      else await loaded(there ? `${path}?${encodeURIComponent(version)}` : path)
    })
    await Promise.all(loading)
    return () => {
      for (const link of old) if (!kept.has(link)) link.remove()
    }
  }

  const loaded = href =>
    new Promise(resolve => {
      const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href })
      link.onload = resolve
      link.onerror = resolve
      document.head.append(link)
    })

  const make = (name, className, ...content) => {
    const element = document.createElement(name)
    element.className = className
    element.append(...content) // Strings become text, so that findings are never parsed as HTML.
    return element
  }

  const trouble = make('p', 'dev-trouble')
  const summary = make('summary', '')
  const list = make('ol', '')
  const rest = make('p', 'dev-rest')
  const details = make('details', '', summary, list, rest)
  const panel = make('div', 'dev', trouble, details)
  panel.setAttribute('aria-label', 'housestyle dev')

  let state = { versions: {}, errors: 0, warnings: 0, findings: [] }
  let errorsShown = ''
  const errorsOf = ({ findings }) => JSON.stringify(findings.filter(({ severity }) => severity === 'error'))
  const counted = (count, noun) => (count === 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'}`])

  /** Errors open automatically, except ones the reader closed; warnings show only their number. */
  const show = next => {
    const count = next.errors + next.warnings
    panel.hidden = count === 0 && !next.trouble
    panel.setAttribute('role', next.errors > 0 || next.trouble ? 'alert' : 'status')
    trouble.hidden = !next.trouble
    trouble.textContent = next.trouble ?? ''
    details.hidden = count === 0
    summary.textContent = [...counted(next.errors, 'error'), ...counted(next.warnings, 'warning')].join(', ')
    if (JSON.stringify(next.findings) !== JSON.stringify(state.findings))
      list.replaceChildren(...next.findings.map(item))
    rest.hidden = count === next.findings.length
    rest.textContent = `and ${count - next.findings.length} more, which the terminal shows`
    const errors = errorsOf(next)
    if (errors !== errorsShown) details.open = next.errors > 0 && errors !== closedErrors()
    errorsShown = errors
    state = next
  }

  const item = ({ place, severity, rule, message, fix }) =>
    make(
      'li',
      `dev-${severity}`,
      make('code', 'dev-place', place),
      ' ',
      make('b', '', severity),
      ' ',
      make('span', 'dev-rule', rule),
      make('p', '', message),
      make('p', 'dev-fix', fix),
    )

  const closedErrors = () => {
    try {
      return sessionStorage.getItem('dev-closed')
    } catch {
      return null // Without storage, they open again on the next page.
    }
  }
  // Uses the click, because the toggle event comes later, perhaps after the reader left the page.
  summary.addEventListener('click', () => {
    try {
      if (details.open) sessionStorage.setItem('dev-closed', errorsShown)
      else sessionStorage.removeItem('dev-closed')
    } catch {}
  })

  /** The version of this page's guide; other pages depend on all guides. */
  const versionIn = ({ versions }) => {
    const isHere = path => location.pathname === path || location.pathname.startsWith(`${path}/`)
    return versions[Object.keys(versions).find(isHere)] ?? JSON.stringify(versions)
  }

  let source
  /** Runs while the service does not answer. */
  let silence
  let again
  /** Listens for events of the service while the page is visible, and connects again if it must. */
  const listen = () => {
    source?.close()
    clearTimeout(again)
    if (document.hidden) return // Browsers limit connections per host, and visible pages need them.
    source = new EventSource(new URL('../dev/events', script.src))
    source.onmessage = ({ data }) => {
      clearTimeout(silence)
      silence = undefined
      const next = JSON.parse(data)
      show(next)
      wanted = versionIn(next)
      void renew()
    }
    source.onerror = () => {
      silence ??= setTimeout(() => show({ ...state, trouble: SILENT }), 1000)
      if (source.readyState === EventSource.CLOSED) again = setTimeout(listen, 1000)
    }
  }
  const SILENT = 'housestyle dev does not respond. This page reconnects automatically.'

  document.addEventListener('visibilitychange', listen)
  document.addEventListener('DOMContentLoaded', () => {
    sent = document.body.cloneNode(true)
    panel.hidden = true
    document.documentElement.append(panel)
    listen()
  })
}
