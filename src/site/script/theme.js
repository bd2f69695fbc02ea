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
  if (kept()) root.dataset.theme = kept()
  root.classList.add('script')
  const isDark = () =>
    (root.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark'
  document.addEventListener('DOMContentLoaded', () => {
    const button = document.querySelector('button.theme')
    const name = () => {
      button.textContent = isDark() ? 'Light' : 'Dark'
    }
    button?.addEventListener('click', () => {
      choose(isDark() ? 'light' : 'dark')
      name()
    })
    if (button) name()
  })
}
