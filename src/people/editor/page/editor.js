/* Starts the editor with the configuration in the folder. */
window.CMS_MANUAL_INIT = true

{
  // The library shows nothing if an entry follows another one of its collection, without the list between them.
  window.addEventListener('hashchange', event => {
    const [from, to] = [event.oldURL, event.newURL].map(url => /#\/collections\/[^/]+(?=\/entries\/)/.exec(url)?.[0])
    if (from === undefined || from !== to) return
    event.stopImmediatePropagation()
    const { hash } = new URL(event.newURL)
    location.replace(from)
    setTimeout(() => location.replace(hash), 100)
  })

  // The guide that the address names, or else the first one, gives the door its look, comes first, and gets new files.
  const dress = (config, guides) => {
    const [, collection] = /^#\/collections\/([^/]+)/.exec(location.hash) ?? []
    const all = Object.values(guides)
    const named = all.find(({ project }) => [project, `${project}_pages`].includes(collection))
    const own = named ?? all[0]
    const isOwn = ({ name }) => [own.project, `${own.project}_pages`].includes(name)
    if (named || all.length === 1) config.app_title += ` – ${own.name}`
    config.collections.sort((a, b) => isOwn(b) - isOwn(a))
    config.media_folder = own.media
    document.body.classList.toggle('no-logo', own.look?.logo === undefined)
    if (!own.look) return
    const { address, logo, sheet } = own.look
    Object.assign(config, { site_url: address, ...(logo && { logo: { src: logo } }) })
    document.head.append(Object.assign(document.createElement('style'), { textContent: sheet }))
  }

  const start = async () => {
    const reply = await fetch('config.json', { cache: 'no-cache' })
    if (!reply.ok) throw new Error(`config.json: ${reply.status}`)
    const { guides, account, ...config } = await reply.json()
    window.housestyleGuides = guides
    window.housestyleAccount = account
    dress(config, guides)
    window.housestyleSaves.formats = window.housestyleFormats.registerFormats(window.CMS, config)
    await window.CMS.init({ config })
  }

  document.addEventListener('DOMContentLoaded', () => {
    start().catch(error => {
      document.body.textContent = `The editor cannot start: ${error.message}. Reload the page, or ask the people who run it.`
    })
  })
}
