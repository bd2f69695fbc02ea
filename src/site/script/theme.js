// Light, dark, or as the system says: what was chosen before is set before anything is painted.
{
  const root = document.documentElement
  const kept = () => {
    try {
      return localStorage.getItem('theme')
    } catch {
      return null // A browser that keeps nothing asks again.
    }
  }
  const choose = theme => {
    root.dataset.theme = theme
    try {
      localStorage.setItem('theme', theme)
    } catch {}
  }
  if (kept() && !root.dataset.theme) root.dataset.theme = kept()
  root.classList.add('script')
  const isDark = () =>
    (root.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark'
  const name = () => {
    const button = document.querySelector('button.theme')
    if (button) button.textContent = isDark() ? button.dataset.light : button.dataset.dark
  }
  document.addEventListener('DOMContentLoaded', name)
  document.addEventListener('housestyle:replaced', name)
  document.addEventListener('click', ({ target }) => {
    if (!target.closest('button.theme')) return
    choose(isDark() ? 'light' : 'dark')
    name()
  })
}
