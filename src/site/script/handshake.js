// The window for signing in to the editor: sends the result to the editor that opened it, and to no other page.
document.addEventListener('DOMContentLoaded', () => {
  const { provider, message } = document.querySelector('[data-provider]').dataset
  const { opener } = window
  const greeting = `authorizing:${provider}`
  window.addEventListener('message', ({ source, origin, data }) => {
    if (source !== opener || origin !== location.origin || data !== greeting) return
    opener.postMessage(message, location.origin)
  })
  opener?.postMessage(greeting, location.origin)
})
