/* Starts the editor with the configuration in the folder. */
window.CMS_MANUAL_INIT = true

{
  const { pages } = JSON.parse(document.currentScript.dataset.editor)

  // Links name pages by id; the editor names entries by path.
  const showMoved = () => {
    const [, collection, entry] = /^#\/collections\/([^/]+)\/entries\/(.+)$/.exec(location.hash) ?? []
    const moved = entry && pages[`${collection}/${decodeURIComponent(entry)}`]
    if (moved) location.replace(`#/collections/${collection}/entries/${moved}`)
  }
  showMoved()
  window.addEventListener('hashchange', showMoved)

  // The library shows nothing if an entry follows another one of its collection, without the list between them.
  window.addEventListener('hashchange', event => {
    const [from, to] = [event.oldURL, event.newURL].map(url => /#\/collections\/[^/]+(?=\/entries\/)/.exec(url)?.[0])
    if (from === undefined || from !== to) return
    event.stopImmediatePropagation()
    const { hash } = new URL(event.newURL)
    location.replace(from)
    setTimeout(() => location.replace(hash), 100)
  })

  const start = async () => {
    const reply = await fetch('config.json', { cache: 'no-cache' })
    if (!reply.ok) throw new Error(`config.json: ${reply.status}`)
    const { guides, ...config } = await reply.json()
    window.housestyleGuides = guides
    window.housestyleSaves.formats = window.housestyleFormats.registerFormats(window.CMS, config)
    // Without the service's own sign-in, the library would ask another service.
    const { backend } = config
    const isTokenOnly = backend.auth_endpoint === undefined && backend.auth_type === undefined
    const methods = isTokenOnly ? { auth_methods: ['token'] } : {}
    await window.CMS.init({ config: { ...config, backend: { ...methods, ...backend } } })
  }

  document.addEventListener('DOMContentLoaded', () => {
    start().catch(error => {
      document.body.textContent = `The editor cannot start: ${error.message}. Reload the page, or ask the people who run it.`
    })
  })
}
