// Plays looping videos without sound while they are visible, each with a button that pauses it. Readers who prefer reduced
// motion, and those without script, have controls instead. Films without a poster show their first frame near the screen.
{
  const still = matchMedia('(prefers-reduced-motion: reduce)')
  let observer
  const play = film => film.play().catch(() => {})
  const start = () => {
    observer?.disconnect()
    observer = new IntersectionObserver(entries => {
      for (const { target, isIntersecting } of entries)
        if (!isIntersecting) target.pause()
        else if (target.nextElementSibling.ariaPressed !== 'true') play(target)
    })
    for (const film of document.querySelectorAll('.loop video')) {
      film.controls = film.nextElementSibling.hidden = still.matches
      if (still.matches) film.pause()
      else observer.observe(film)
    }
  }
  const near = new IntersectionObserver(
    entries => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue
        target.preload = 'metadata'
        near.unobserve(target)
      }
    },
    { rootMargin: '50%' },
  )
  const showFrames = () => {
    for (const film of document.querySelectorAll('video[preload="none"]:not([poster])')) near.observe(film)
  }
  document.addEventListener('DOMContentLoaded', showFrames)
  document.addEventListener('housestyle:replaced', showFrames)
  still.addEventListener('change', start)
  document.addEventListener('DOMContentLoaded', start)
  document.addEventListener('housestyle:replaced', start)
  document.addEventListener('click', ({ target }) => {
    const button = target.closest?.('.loop button')
    if (!button) return
    const film = button.previousElementSibling
    const isPlaying = !film.paused
    button.ariaPressed = isPlaying
    if (isPlaying) film.pause()
    else play(film)
  })
}
