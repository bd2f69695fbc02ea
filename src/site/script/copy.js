// A button with `data-copy` copies that text, or the file at `data-code`; if both are empty, it and a click on the preceding
// text copy that text. A click on the rest of a colour's tile copies its value in the chosen format.
{
  let quiet
  /** Announces a copied or selected text for three seconds, also to screen readers. */
  const say = what => {
    const status = document.querySelector('.copied')
    clearTimeout(quiet)
    status.textContent = status.dataset[what]
    quiet = setTimeout(() => {
      status.textContent = ''
    }, 3000)
  }
  const select = node => {
    const range = new Range()
    range.selectNodeContents(node)
    const selection = getSelection()
    selection.removeAllRanges()
    selection.addRange(range)
  }
  // Without HTTPS, browsers have no clipboard API, but can still copy the selection.
  const copySelected = text => {
    const set = event => {
      event.clipboardData.setData('text/plain', text)
      event.preventDefault()
    }
    document.addEventListener('copy', set, { once: true })
    const isDone = document.execCommand('copy')
    document.removeEventListener('copy', set)
    return isDone
  }
  /** The button in a tile that copies its value in the chosen format. */
  const buttonIn = target => {
    const format = document.querySelector('[name=format]:checked')?.value ?? 'hex'
    return target.querySelector(`.${format} [data-copy]`) ?? target.querySelector('[data-copy]')
  }
  document.addEventListener('click', async event => {
    const target = event.target.closest?.('[data-copy], a, dd:has([data-copy]), .on-dark, .tiles > li')
    const button = target?.matches('dd, li, .on-dark') ? getSelection().isCollapsed && buttonIn(target) : target
    if (!button || button.matches('a')) return
    const { copy, code } = button.dataset
    let text = copy || button.previousSibling.textContent
    try {
      if (code) text = await (await fetch(code)).text()
      await navigator.clipboard.writeText(text)
      say('copied')
      button.classList.add('done')
      setTimeout(() => button.classList.remove('done'), 1200)
    } catch {
      select(button.previousSibling ?? button)
      say(copySelected(text) ? 'copied' : 'selected')
    }
  })
}
