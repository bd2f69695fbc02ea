// A picture in a frame of ours fills the window when it is clicked; without script, the frame leads to its file.
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
  frame.focus() // It gets the focus back; not every browser gives it to a link that is clicked.
  dialog.showModal()
})
