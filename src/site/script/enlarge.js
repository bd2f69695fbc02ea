// Enlarges a framed picture to fill the window on click; without script, the frame links to the file.
document.addEventListener('click', event => {
  const frame = event.target.closest?.('a.enlarge')
  if (!frame || event.button > 0 || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  const dialog = document.createElement('dialog')
  const close = document.createElement('button')
  dialog.className = frame.className.replace('picture enlarge', 'enlarged')
  dialog.ariaLabel = frame.ariaLabel || frame.firstChild.alt
  close.textContent = frame.dataset.close
  dialog.append(close, ...Array.from(frame.children, image => image.cloneNode()))
  dialog.addEventListener('click', () => dialog.close())
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  frame.focus() // Not every browser focuses a clicked link, so set the focus to return to.
  dialog.showModal()
})
