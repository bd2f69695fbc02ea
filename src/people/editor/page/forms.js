// Completes the forms of the library: a toolbar and a preview for the text of pages, and swatches in closed rows.
{
  const make = (tag, properties, ...children) => {
    const element = Object.assign(document.createElement(tag), properties)
    element.append(...children)
    return element
  }

  const complete = () => {
    const buttons = document.querySelector('.container > .inner > .buttons:not(:has(+ .account))')
    buttons?.after(make('p', { className: 'account' }, window.housestyleAccount ?? ''))
    for (const row of document.querySelectorAll('.item-body > .summary')) completeRow(row)
    for (const editor of document.querySelectorAll('[data-key-path="body"] .text-editor'))
      if (!editor.querySelector('.marks')) editor.querySelector('[role="toolbar"] .inner').prepend(toolbarFor(editor))
  }
  let frame = 0
  const completeSoon = () => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(complete)
  }
  document.addEventListener('DOMContentLoaded', () => {
    new MutationObserver(completeSoon).observe(document.body, { childList: true, subtree: true, characterData: true })
  })

  /* A closed row names its button. The summary of a colour ends with its value. */
  const completeRow = row => {
    row.id ||= crypto.randomUUID()
    row.closest('.item')?.querySelector('button')?.setAttribute('aria-describedby', row.id)
    const [, hex, rgb] = /\u2002(?:#?((?:[\da-f]{3}){1,2})|([\d\s,]+))$/i.exec(row.textContent.trim()) ?? []
    row.classList.toggle('color', (hex ?? rgb) !== undefined)
    row.style.setProperty('--swatch', hex ? `#${hex}` : `rgb(${rgb})`)
  }

  const toolbarFor = editor => {
    const area = editor.querySelector('textarea')
    const { paths, pictures } = openedPage().guide
    area.addEventListener('keydown', event => {
      const mark = MARKS.find(({ key }) => key === event.key)
      if (!mark || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      mark.edit(area)
    })
    return make(
      'div',
      { className: 'marks' },
      ...MARKS.map(({ name, icon, edit }) => button(name, icon, () => edit(area))),
      ...(pictures.length > 0 ? [button('Picture', 'image', () => choosePicture(area))] : []),
      ...(paths.length > 0 ? [previewButton(editor, area)] : []),
    )
  }

  const button = (name, icon, onclick) => {
    const glyph = make('span', { className: 'material-symbols-outlined', ariaHidden: 'true' }, icon)
    return make('button', { type: 'button', title: name, ariaLabel: name, onclick }, glyph)
  }

  /* Replaces a range of the text by typing, so that Undo works and the library sees it; then selects a part of it. */
  const type = (area, from, to, text, [start, end] = [text.length, text.length]) => {
    // On a phone, the preview covers the text.
    if (!area.checkVisibility()) area.closest('.text-editor').querySelector('[aria-pressed="true"]').click()
    area.focus()
    area.setSelectionRange(from, to)
    document.execCommand(text === '' ? 'delete' : 'insertText', false, text)
    area.setSelectionRange(from + start, from + end)
  }

  /* Puts marks around the selected text, or removes them. */
  const around = (mark, example) => area => {
    const { selectionStart: from, selectionEnd: to, value } = area
    const text = value.slice(from, to) || example
    const { length } = mark
    if (value.slice(0, from).endsWith(mark) && value.slice(to).startsWith(mark))
      type(area, from - length, to + length, text, [0, text.length])
    else type(area, from, to, mark + text + mark, [length, length + text.length])
  }

  /* Puts a mark before each selected line, or removes it. */
  const atLines = mark => area => {
    const { selectionStart, selectionEnd, value } = area
    const from = value.lastIndexOf('\n', selectionStart - 1) + 1
    const [rest] = /^.*/.exec(value.slice(selectionEnd))
    const to = selectionEnd + rest.length
    const before = value.slice(from, to).split('\n')
    const isMarked = before.every((line, at) => line.startsWith(mark(at)))
    const after = before.map((line, at) => (isMarked ? line.slice(mark(at).length) : mark(at) + line)).join('\n')
    type(area, from, to, after, before.length > 1 ? [0, after.length] : undefined)
  }

  const link = area => {
    const text = area.value.slice(area.selectionStart, area.selectionEnd) || 'words'
    type(area, area.selectionStart, area.selectionEnd, `[${text}](page.md)`, [text.length + 3, text.length + 10])
  }

  /* The guide and the path of the opened page. */
  const openedPage = () => {
    const [, collection, path = ''] = /^#\/collections\/([^/]+)\/(?:entries\/(.+))?/.exec(location.hash) ?? []
    return { guide: window.housestyleGuides[collection], path: decodeURIComponent(path) }
  }

  const previewButton = (editor, area) => {
    const frame = make('iframe', { className: 'preview', title: 'Preview', hidden: true })
    frame.sandbox = 'allow-same-origin'
    editor.append(frame)
    const show = async () => {
      if (frame.hidden) return
      const { guide, path } = openedPage()
      const body = new URLSearchParams({ project: guide.project, page: path, text: area.value })
      const reply = await fetch('preview', { method: 'POST', body }).catch(() => undefined)
      const text = reply?.ok ? await reply.text() : '<p>No preview: a new page, or you are offline or signed out.</p>'
      const page = new DOMParser().parseFromString(text, 'text/html')
      for (const script of page.querySelectorAll('script')) script.remove()
      // A page that is there stays where people read it.
      if (frame.srcdoc) frame.contentDocument.body.replaceWith(page.body)
      else frame.srcdoc = page.documentElement.outerHTML
    }
    let timer
    area.addEventListener('input', () => {
      clearTimeout(timer)
      timer = setTimeout(show, 500)
    })
    const toggle = button('Preview', 'visibility', async () => {
      frame.hidden = !editor.classList.toggle('previewed')
      toggle.ariaPressed = `${!frame.hidden}`
      await show()
    })
    toggle.ariaPressed = 'false'
    return toggle
  }

  const choosePicture = area => {
    const { guide, path } = openedPage()
    const insert = picture => {
      dialog.close()
      const target = encodeURI('../'.repeat(path.split('/').length) + picture.path).replace(/[()]/g, escape)
      const description = picture.description.replace(/[[\]\\]/g, '\\$&')
      const { selectionStart: from, selectionEnd: to, value } = area
      // At the end of a line, the picture becomes the next paragraph.
      const gap = /.$/.test(value.slice(0, from)) && !/^./.test(value.slice(to)) ? '\n\n' : ''
      type(area, from, to, `${gap}![${description}](${target})`)
    }
    const choices = guide.pictures.map(picture => {
      const image = make('img', { src: picture.address, alt: '', loading: 'lazy' })
      const onclick = () => insert(picture)
      return make(
        'button',
        { type: 'button', title: picture.path, onclick },
        image,
        picture.description || picture.path,
      )
    })
    const oninput = ({ target }) => {
      const words = target.value.toLowerCase()
      for (const each of choices) each.hidden = !(each.title + each.textContent).toLowerCase().includes(words)
    }
    const search = make('input', {
      type: 'search',
      placeholder: 'Search pictures',
      ariaLabel: 'Search pictures',
      oninput,
    })
    const close = button('Close', 'close', () => dialog.close())
    const onclose = () => dialog.remove()
    const dialog = make('dialog', { className: 'pictures', ariaLabel: 'Picture', onclose }, search, close, ...choices)
    document.body.append(dialog)
    dialog.showModal()
  }

  const MARKS = [
    { name: 'Heading', icon: 'format_h2', edit: atLines(() => '## ') },
    { name: 'Bold', icon: 'format_bold', key: 'b', edit: around('**', 'important') },
    { name: 'Italic', icon: 'format_italic', key: 'i', edit: around('_', 'emphasis') },
    { name: 'Link', icon: 'link', key: 'k', edit: link },
    { name: 'List', icon: 'format_list_bulleted', edit: atLines(() => '- ') },
    { name: 'Numbered list', icon: 'format_list_numbered', edit: atLines(at => `${at + 1}. `) },
    { name: 'Quotation', icon: 'format_quote', edit: atLines(() => '> ') },
  ]
}
