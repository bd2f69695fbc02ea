// Plays the video of a cover, muted, with a button that pauses it; never for readers who want less motion.
{
  const start = () => {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
    for (const film of document.querySelectorAll('video[data-pause][controls]')) {
      const button = document.createElement('button')
      const name = () => {
        button.textContent = film.dataset[film.paused ? 'play' : 'pause']
      }
      button.type = 'button'
      button.className = 'pause'
      button.addEventListener('click', () => (film.paused ? film.play() : film.pause()))
      for (const change of ['play', 'pause']) film.addEventListener(change, name)
      film.controls = false
      film.muted = true
      film.after(button)
      name()
      film.play().catch(() => {})
    }
  }
  document.addEventListener('DOMContentLoaded', start)
  document.addEventListener('housestyle:replaced', start)
}
