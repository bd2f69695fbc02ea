// Says whether files are current, by their hashes and the list of all versions, which is loaded on first use.
{
  if (globalThis.crypto?.subtle) document.documentElement.classList.add('compares')

  /** In a copy, the list is a script. */
  const load = async address => {
    if (!new URL(address).pathname.endsWith('.js')) {
      const reply = await fetch(address)
      if (!reply.ok) throw new Error(`${address}: ${reply.status}`)
      return reply.json()
    }
    return new Promise((resolve, reject) => {
      globalThis.housestyleVersions = resolve
      document.head.append(Object.assign(document.createElement('script'), { src: address, onerror: reject }))
    })
  }
  let versions
  const forget = () => {
    versions = undefined
  }
  const hashOf = async file => {
    const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
    return Array.from(new Uint8Array(digest), byte => byte.toString(16).padStart(2, '0')).join('')
  }

  /** What the page says about a file, and the address of today's file, if any. */
  const judge = async ({ action, dataset }, file) => {
    if (file.size > dataset.max) return { verdict: 'large' }
    versions ??= load(action)
    versions.catch(forget)
    const [hash, { current, old }] = await Promise.all([hashOf(file), versions])
    if (hash in current) return { verdict: 'current', address: current[hash] }
    if (!(hash in old)) return { verdict: 'unknown' }
    const [revision, address, day] = old[hash]
    return day ? { verdict: 'expired', day } : { verdict: 'old', revision, address }
  }

  const element = (name, ...inside) => {
    const made = document.createElement(name)
    made.append(...inside)
    return made
  }
  /** Writes the verdict on a file into its item of the list. */
  const check = async (form, file, item) => {
    const { verdict, address, ...values } = await judge(form, file).catch(() => ({ verdict: 'failed' }))
    item.dataset.verdict = verdict
    item.lastElementChild.textContent = form.dataset[verdict].replace(/\{(\w+)\}/g, (_, name) => values[name])
    if (!address) return
    const link = element('a', form.dataset.today)
    link.href = new URL(address, form.action)
    item.lastElementChild.append(' ', link)
  }

  document.addEventListener('change', async ({ target }) => {
    const form = target.closest('.check form')
    if (!form) return
    const files = Array.from(target.files)
    target.value = ''
    const items = files.map(({ name }) => element('li', element('bdi', name), element('p', '…')))
    form.nextElementSibling.replaceChildren(...items)
    for (const [at, file] of files.entries()) await check(form, file, items[at])
  })
  document.addEventListener('housestyle:replaced', forget)
}
