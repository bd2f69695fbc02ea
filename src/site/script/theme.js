// Light, dark, or the system setting. Applies the saved choice before the first paint.
{
  const root = document.documentElement
  const kept = () => {
    try {
      return localStorage.getItem('theme')
    } catch {
      return null // Storage is blocked.
    }
  }
  const choose = theme => {
    if (theme) root.dataset.theme = theme
    else delete root.dataset.theme
    try {
      if (theme) localStorage.setItem('theme', theme)
      else localStorage.removeItem('theme')
    } catch {}
  }
  if (kept() && !root.dataset.theme) root.dataset.theme = kept()
  root.classList.add('script')
  /** Gives the button the name of the current choice. */
  const name = () => {
    const button = document.querySelector('button.theme')
    if (!button) return
    const { dataset } = button
    button.textContent = dataset[root.dataset.theme ?? 'auto']
    button.ariaLabel = `${dataset.label}: ${button.textContent}`
    button.title = button.ariaLabel
  }
  document.addEventListener('DOMContentLoaded', name)
  document.addEventListener('housestyle:replaced', name)
  document.addEventListener('click', ({ target }) => {
    if (!target.closest('button.theme')) return
    // The first click always changes the visible scheme.
    const isDark = matchMedia('(prefers-color-scheme: dark)').matches
    const order = [undefined, ...(isDark ? ['light', 'dark'] : ['dark', 'light'])]
    choose(order[(order.indexOf(root.dataset.theme) + 1) % 3])
    name()
  })
}
