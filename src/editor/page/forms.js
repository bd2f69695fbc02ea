// Completes the forms of the library: a toolbar for the text of pages, and swatches of colours in closed rows.
{
  const complete = () => {
    for (const row of document.querySelectorAll('.item-body > .summary')) completeRow(row)
    for (const text of document.querySelectorAll('[data-key-path="body"] .text-editor'))
      if (!text.querySelector('.marks')) text.prepend(toolbarFor(text.querySelector('textarea')))
  }

  /* A closed row names its button. The summary of a colour ends with its value. */
  const completeRow = row => {
    const button = row.closest('.item')?.querySelector('button')
    row.id ||= `summary-${++rows}`
    button?.setAttribute('aria-describedby', row.id)
    const [, hex, rgb] =
      /\u2002(?:#?((?:[\da-f]{3}){1,2})|(\d+[\s,]+\d+[\s,]+\d+))$/i.exec(row.textContent.trim()) ?? []
    row.classList.toggle('color', (hex ?? rgb) !== undefined)
    row.style.setProperty('--swatch', hex ? `#${hex}` : `rgb(${rgb})`)
  }
  let rows = 0

  let isWaiting = false
  const completeSoon = () => {
    if (isWaiting) return
    isWaiting = true
    requestAnimationFrame(() => {
      isWaiting = false
      complete()
    })
  }
  document.addEventListener('DOMContentLoaded', () => {
    new MutationObserver(completeSoon).observe(document.body, { childList: true, subtree: true, characterData: true })
  })

  const toolbarFor = area => {
    const bar = document.createElement('div')
    bar.className = 'marks'
    bar.role = 'group'
    bar.ariaLabel = 'Format the text'
    for (const { name, icon, key, edit } of MARKS) bar.append(markButton(name, icon, key, () => edit(area)))
    area.addEventListener('keydown', event => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      const mark = MARKS.find(({ key }) => key === event.key)
      if (!mark) return
      event.preventDefault()
      mark.edit(area)
    })
    return bar
  }

  const markButton = (name, icon, key, press) => {
    const button = document.createElement('button')
    const label = key ? `${name} (Ctrl+${key.toUpperCase()})` : name
    Object.assign(button, { type: 'button', title: label, ariaLabel: name })
    const glyph = document.createElement('span')
    Object.assign(glyph, { className: 'material-symbols-outlined', ariaHidden: 'true', textContent: icon })
    button.append(glyph)
    button.addEventListener('click', press)
    return button
  }

  /* Replaces a range of the text by typing, so that Undo works and the library sees it; then selects a part of it. */
  const type = (area, from, to, text, [start, end] = [text.length, text.length]) => {
    area.focus()
    area.setSelectionRange(from, to)
    document.execCommand(text === '' ? 'delete' : 'insertText', false, text)
    area.setSelectionRange(from + start, from + end)
  }

  /* Puts marks around the selected text, or removes them. */
  const around = (before, after, example) => area => {
    const { selectionStart: from, selectionEnd: to, value } = area
    const text = value.slice(from, to) || example
    const isMarked = value.slice(0, from).endsWith(before) && value.slice(to).startsWith(after)
    if (isMarked) type(area, from - before.length, to + after.length, text, [0, text.length])
    else type(area, from, to, before + text + after, [before.length, before.length + text.length])
  }

  /* Puts a mark before each selected line, or removes it. */
  const atLines = mark => area => {
    const { selectionStart, selectionEnd, value } = area
    const from = value.lastIndexOf('\n', selectionStart - 1) + 1
    const end = value.indexOf('\n', selectionEnd)
    const to = end < 0 ? value.length : end
    const lines = value.slice(from, to).split('\n')
    const isMarked = lines.every((line, at) => line.startsWith(mark(at)))
    const changed = lines.map((line, at) => (isMarked ? line.slice(mark(at).length) : mark(at) + line)).join('\n')
    type(area, from, to, changed, lines.length > 1 ? [0, changed.length] : undefined)
  }

  const link = area => {
    const text = area.value.slice(area.selectionStart, area.selectionEnd) || 'words'
    const start = text.length + 3
    type(area, area.selectionStart, area.selectionEnd, `[${text}](page.md)`, [start, start + 'page.md'.length])
  }

  const MARKS = [
    { name: 'Heading', icon: 'format_h2', edit: atLines(() => '## ') },
    { name: 'Bold', icon: 'format_bold', key: 'b', edit: around('**', '**', 'important') },
    { name: 'Italic', icon: 'format_italic', key: 'i', edit: around('_', '_', 'emphasis') },
    { name: 'Link', icon: 'link', key: 'k', edit: link },
    { name: 'List', icon: 'format_list_bulleted', edit: atLines(() => '- ') },
    { name: 'Numbered list', icon: 'format_list_numbered', edit: atLines(at => `${at + 1}. `) },
    { name: 'Quotation', icon: 'format_quote', edit: atLines(() => '> ') },
  ]
}
