// Plays looping videos without sound while they are visible, and moving pictures, each with a button that pauses it. Readers
// who prefer reduced motion, and those without script, have controls instead. Films without a poster show their first frame
// near the screen, or a later one if it is black.
{
  const still = matchMedia('(prefers-reduced-motion: reduce)')
  let observer
  const play = film => film.play().catch(() => {})
  /** Plays or stops the moving pictures before a button: their files and their still thumbnails change places. */
  const exchange = button => {
    button.ariaPressed = button.ariaPressed !== 'true'
    for (const picture of button.previousElementSibling.children)
      if (picture.dataset.moving) [picture.src, picture.dataset.moving] = [picture.dataset.moving, picture.src]
  }
  /** Plays moving pictures at the start, and stops them once the reader prefers less motion. */
  const movePictures = () => {
    for (const button of document.querySelectorAll('.moving')) {
      const isPlaying = button.ariaPressed === 'false'
      if (isPlaying ? still.matches : button.hidden && !still.matches) exchange(button)
      button.hidden = false
    }
  }
  const start = () => {
    movePictures()
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
  /** Loads the first frame of films less than half a window away. */
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
  const size = 8
  const isBlack = film => {
    const canvas = new OffscreenCanvas(size, size).getContext('2d')
    canvas.drawImage(film, 0, 0, size, size)
    try {
      return canvas.getImageData(0, 0, size, size).data.every((value, at) => at % 4 === 3 || value < 24)
    } catch {} // A page opened from a folder may not read its films.
  }
  /** Shows a later frame of a film that begins black, until it is played from its start. */
  const leaveBlack = ({ target: film }) => {
    if (film.tagName !== 'VIDEO' || film.poster || !film.paused || !isBlack(film)) return
    film.currentTime = film.duration / 4
    film.addEventListener('play', () => (film.currentTime = 0), { once: true })
  }
  const showFrames = () => {
    for (const film of document.querySelectorAll('video[preload="none"]:not([poster])')) near.observe(film)
  }
  document.addEventListener('loadeddata', leaveBlack, true)
  document.addEventListener('DOMContentLoaded', showFrames)
  document.addEventListener('housestyle:replaced', showFrames)
  still.addEventListener('change', start)
  document.addEventListener('DOMContentLoaded', start)
  document.addEventListener('housestyle:replaced', start)
  document.addEventListener('click', ({ target }) => {
    const button = target.closest?.('.loop button, .moving')
    if (!button) return
    if (button.className === 'moving') return exchange(button)
    const film = button.previousElementSibling
    const isPlaying = !film.paused
    button.ariaPressed = isPlaying
    if (isPlaying) film.pause()
    else play(film)
  })
}
