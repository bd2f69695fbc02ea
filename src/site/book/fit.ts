/**
 * A script for the page of a book before it is printed, in a window as large as a sheet, when all fonts have loaded. It
 * cannot import anything, so all of its functions are in it; the last lines call its stages in order:
 *
 * 1. films become stills, and the cover of the book gets a ground on which its logo is legible;
 * 2. samples of type, tables, titles and covers become smaller until they fit;
 * 3. chapters that share sheets become one *run*, and no sheet of a run is nearly empty.
 *
 * Returns the headings above the parts that are cut off at the edge of a sheet, and above tables whose words do not fit.
 */
export const FIT = `document.fonts.ready.then(async () => {
  const MARGIN = 68 // 18 mm, in pixels.
  const sheet = innerHeight - MARGIN // The height of a sheet in pixels.
  const all = selector => Array.from(document.querySelectorAll(selector))
  const box = element => element.getBoundingClientRect()
  // Keeps the parts between two heights on the sheet of the part before them, and small parts whole.
  const keepTogether = (parent, from, to) => {
    for (const child of parent.children) {
      const { top, bottom, height } = box(child)
      if (bottom <= from || top >= to) continue
      if (top > from && parent.firstElementChild !== child) child.style.breakBefore = 'avoid'
      if (height < 0.15 * sheet) child.style.breakInside = 'avoid'
      else keepTogether(child, from, to)
    }
  }
  // Calls 'read' while a run is in columns as large as a sheet, which show about how many sheets it needs. 'read' gets a
  // function for the column of an element, from 0, and the top of the columns.
  const inColumns = (run, read) => {
    run.classList.add('measured')
    const { left } = box(run)
    const columnOf = element => Math.round(Math.abs(box(element).left - left - MARGIN) / (run.clientWidth - 2 * MARGIN))
    const result = read(columnOf, box(run).top + MARGIN)
    run.classList.remove('measured')
    return result
  }
  // The number of sheets that a run needs, and the share of the last one that it fills.
  const measure = run => {
    const endMark = document.createElement('div')
    run.append(endMark)
    const measured = inColumns(run, (columnOf, top) => ({
      count: columnOf(endMark) + 1,
      fill: (box(endMark).top - top) / sheet,
    }))
    endMark.remove()
    return measured
  }
  // The column of the text below a cover, from 0; 0 also without any text.
  const columnBelow = (run, cover) => {
    const first = cover.parentElement.querySelector('.content .prose > *') ?? cover.nextElementSibling
    return first ? inColumns(run, columnOf => columnOf(first)) : 0
  }
  // The blocks before which a sheet may break.
  const breaksIn = parent => Array.from(parent.children).flatMap(child => {
    const { display, breakInside } = getComputedStyle(child)
    const before = child.previousElementSibling
    const ownBreak = before && getComputedStyle(before).breakAfter !== 'avoid' ? [child] : []
    return display === 'block' && breakInside !== 'avoid' ? ownBreak.concat(breaksIn(child)) : ownBreak
  })
  // Moves the blocks before a short last sheet to it: from the last one that begins 20 to 70 percent of a sheet above the end.
  const fillLastSheet = run => {
    const { bottom } = box(run)
    const isEnough = each => bottom - box(each).top > 0.2 * sheet && bottom - box(each).top < 0.7 * sheet
    const start = breaksIn(run).findLast(isEnough)
    if (start) start.style.breakBefore = 'page'
  }
  // Adds a chapter to a run, to see whether it may stay there: if it is below another chapter in the contents, fits on the
  // last sheet of the run, or follows little text and its cover leaves room for text. Its start stays together.
  const tryToAppend = (run, chapter) => {
    const cover = chapter.querySelector('.cover')
    const before = measure(run)
    run.append(chapter)
    const { top, height } = box(chapter)
    if (height < 0.45 * sheet) chapter.style.breakInside = 'avoid'
    else keepTogether(chapter, top, top + 0.25 * sheet)
    if (chapter.dataset.depth !== '0' && !cover) return true
    if (measure(run).count === before.count) return true
    return before.fill < 0.55 && (!cover || columnBelow(run, cover) === before.count - 1)
  }
  // Makes the picture of a cover low enough for text below it, or as high as the sheet if none fits.
  const fitCover = (run, cover) => {
    const leavesRoom = heightMm => {
      cover.style.setProperty('--picture', heightMm + 'mm')
      return columnBelow(run, cover) === 0
    }
    if ([80, 64, 48].some(leavesRoom)) return
    cover.style.setProperty('--picture', '80mm')
    cover.style.height = sheet + MARGIN - 1 + 'px'
  }
  // A cover on its own sheet fills it. If the last sheet is short, slightly smaller text saves it, or it is filled.
  const fitRun = run => {
    const cover = run.firstElementChild.querySelector('.cover:has(> :is(img, video))')
    if (cover) fitCover(run, cover)
    const { count, fill } = measure(run)
    if (count === 1 && cover && run.children.length === 1) cover.style.height = box(cover).height + (0.95 - fill) * sheet + 'px'
    if (count === 1 || fill >= 0.3) return
    for (const zoom of [0.98, 0.96, 0.94, 0.92, 1]) {
      for (const chapter of run.children) chapter.style = 'zoom: ' + zoom + '; --zoom: ' + zoom
      const smaller = measure(run)
      if (smaller.count < count && smaller.fill >= 0.3) return
    }
    fillLastSheet(run)
  }
  // The luminance of red, green and blue from 0 to 255. 3294.6 is 255 × 12.92.
  const luminance = values => {
    const [red, green, blue] = values.map(each => (each / 255 > 0.04045 ? ((each / 255 + 0.055) / 1.055) ** 2.4 : each / 3294.6))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue // WCAG 2.2, "relative luminance"
  }
  // The share of a logo's opaque pixels that have enough contrast on a ground.
  const legibleShare = (logo, ground) => {
    const context = Object.assign(document.createElement('canvas'), { width: 160, height: 80 }).getContext('2d')
    context.drawImage(logo, 0, 0, 160, 80)
    const { data } = context.getImageData(0, 0, 160, 80)
    const ofGround = luminance([1, 3, 5].map(at => parseInt(ground.slice(at, at + 2), 16)))
    let legible = 0
    let opaque = 0
    // Each pixel has four values: red, green, blue and opacity.
    for (let at = 0; at < data.length; at += 4) {
      if (data[at + 3] < 128) continue
      const ofPixel = luminance(Array.from(data.slice(at, at + 3)))
      opaque++
      if ((Math.max(ofPixel, ofGround) + 0.05) / (Math.min(ofPixel, ofGround) + 0.05) >= 3) legible++
    }
    return legible / (opaque || 1)
  }
  // Gives the cover of the book the first ground on which a version of the logo is legible, and removes the other versions.
  // The last but one ground is that of light pages, and the last one their text colour.
  const chooseGround = async title => {
    const grounds = JSON.parse(title.dataset.grounds)
    const images = Array.from(title.querySelectorAll('img'))
    await Promise.all(images.map(image => image.decode().catch(() => image.remove())))
    const logos = images.filter(image => image.isConnected)
    const choices = grounds.flatMap(([ground, text], at) =>
      logos.map(logo => ({ ground, text, logo, isPage: at === grounds.length - 2, share: legibleShare(logo, ground) })),
    )
    const [ground, text] = grounds[0]
    const fallback = { ground, text, isPage: grounds.length === 2, logo: logos[0] }
    const choice = choices.find(({ share }) => share > 0.6) ?? fallback
    for (const logo of logos) if (logo !== choice.logo) logo.remove()
    title.style = '--ground: ' + choice.ground + '; --text: ' + choice.text
    title.classList.toggle('plain', choice.isPage)
  }
  // Shows a frame from the middle of a film, or only its name and length if it cannot be played; a card keeps its shape.
  const toStill = film => new Promise(resolve => {
    film.onseeked = film.onerror = resolve
    film.onloadeddata = () => (film.currentTime = film.duration / 2 || 0)
    if (film.error) resolve()
    else if (film.readyState > 1) film.onloadeddata() // Above 1, it has a frame (HTML, "readyState").
    setTimeout(resolve, 15000)
  }).then(() => {
    if (film.readyState > 1) return
    const seconds = Math.round(film.duration) || 0
    const length = seconds > 0 ? Math.floor(seconds / 60) + ':' + String(seconds % 60).padStart(2, '0') : ''
    const ground = document.createElement('div')
    ground.className = film.className + ' no-frame'
    if (film.closest('.face')) ground.style.aspectRatio = film.width && film.height ? film.width / film.height : 16 / 9
    ground.append(film.title, document.createElement('br'), length)
    film.replaceWith(ground)
  })
  await Promise.all([...all('video').map(toStill), ...all('.book-title').map(chooseGround)])
  // From 1 to 0.15. The functions below set a zoom and say whether the part fits then, so 'some' stops at the largest.
  const ZOOMS = Array.from({ length: 18 }, (_, at) => 1 - at * 0.05)
  // Samples of type, but not their captions, fit below what precedes them, or else on a sheet.
  for (const scale of all(':is(main, .content) > .link-cards:has(> .specimen)')) {
    const below = sheet - 40 - (box(scale).top - box(scale.closest('.book-chapter')).top)
    const fitsIn = room => zoom => {
      scale.style.zoom = zoom
      scale.style.setProperty('--zoom', zoom)
      return box(scale).height <= room
    }
    if (!ZOOMS.slice(0, 9).some(fitsIn(below)) && !ZOOMS.some(fitsIn(0.8 * sheet))) fitsIn(sheet)(0.6)
  }
  // A table of contrast that is wider than a sheet continues below it, in parts of equal numbers of columns with the names
  // of the rows. Columns keep their numbers.
  const TEXT_SHARE = 1 - (2 * MARGIN) / innerWidth // The share of a sheet's width between its margins.
  const divideColumns = table => {
    table.style.width = 0
    const [names, ...columns] = Array.from(table.rows[0].cells, cell => box(cell).width)
    const room = TEXT_SHARE * box(table.parentElement).width - names
    const count = Math.ceil(columns.length / Math.floor(room / Math.max(...columns)))
    const size = Math.ceil(columns.length / count)
    table.style.width = ''
    const parts = Array.from({ length: count }, (_, part) => {
      const copy = table.cloneNode(true)
      copy.style.tableLayout = 'fixed'
      copy.tHead.style.counterReset = 'column ' + part * size
      const isElsewhere = (_, at) => at > 0 && Math.ceil(at / size) !== part + 1
      for (const row of copy.rows) for (const cell of Array.from(row.cells).filter(isElsewhere)) cell.remove()
      return copy
    })
    table.replaceWith(...parts)
  }
  all('.contrast').forEach(divideColumns)
  // Parts that are almost as high as a sheet may break, so that they leave no gap before them.
  for (const element of all('.book-chapter :not(img, svg, figure, .cover, .cover *)')) {
    const max = (element.closest('.matrix, .tiles, :is(main, .content) > .link-cards') ? 0.85 : 0.6) * sheet
    if (getComputedStyle(element).breakInside === 'avoid' && box(element).height > max)
      element.style.breakInside = 'auto'
  }
  // Tables become smaller until their words fit next to each other; words of others break.
  const MIN_LETTERS = 7.5 // The smallest letters of a table, in pixels.
  const brokenTables = all('.book-chapter .table > table:not(.contrast)').filter(table => {
    const holdsWords = zoom => {
      table.style = 'width: 0; --wrap: normal; zoom: ' + zoom
      return box(table).width < 0.85 * TEXT_SHARE * box(table.parentElement).width
    }
    const minZoom = Math.min(1, MIN_LETTERS / parseFloat(getComputedStyle(table).fontSize))
    const isWhole = ZOOMS.filter(zoom => zoom >= minZoom).some(holdsWords)
    table.style.width = ''
    if (!isWhole) table.style.setProperty('--wrap', 'anywhere')
    return !isWhole
  })
  // No word of a title is broken.
  for (const title of all('.book-title h1, .book-chapter h1')) {
    const holdsWords = zoom => {
      title.style = 'overflow-wrap: normal; hyphens: manual; zoom: ' + zoom
      return title.scrollWidth <= title.clientWidth
    }
    ZOOMS.slice(0, 12).some(holdsWords)
    title.style.overflowWrap = ''
  }
  // The text of a cover fits next to its picture, or on a sheet without one.
  for (const cover of all('.cover')) {
    const text = cover.firstElementChild
    const picture = cover.querySelector('img, video, .no-frame')
    const fitsAt = zoom => {
      text.style = 'zoom: ' + zoom + '; --zoom: ' + zoom
      return box(text).height <= (picture ? 0.5 : 0.9) * sheet
    }
    ZOOMS.some(fitsAt)
  }
  // Each chapter joins the run before it, or begins a new one.
  const runs = []
  for (const chapter of all('.book-chapter')) {
    if (runs.length === 0 || !tryToAppend(runs.at(-1), chapter)) {
      const run = document.createElement('div')
      run.className = 'book-run'
      document.body.append(run)
      run.append(chapter)
      runs.push(run)
    }
  }
  // Words that are wider than their line break between syllables, with a hyphen; code and addresses have none.
  const WORD = /(?<![\\p{L}\\d/.@:_])\\p{L}{6,}(?![\\p{L}\\d/@:_]|\\.\\p{L})/gu
  const VOWEL = 'aeiouyàáâãäåæèéêëìíîïòóôõöøùúûüýąęıůаеёиоуыэюяіїєαεηιουωάέήίόύώ'
  // Before a consonant and a vowel, two letters from either end: typo-gra-phy.
  const SYLLABLE = new RegExp(
    '(?<=..)(?<![cgpst](?=h)|[bcdfgkpt](?=[lr]))(?=(?:[cgpst]h|[bcdfgkpt][lr]|[^' + VOWEL + '])[' + VOWEL + '].)', 'giu'
  )
  const isDivided = (node, word, at) => {
    const range = document.createRange()
    range.setStart(node, at)
    range.setEnd(node, at + word.length)
    return new Set(Array.from(range.getClientRects(), rect => Math.round(rect.top))).size > 1
  }
  const changeTexts = change => {
    const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const changes = []
    while (nodes.nextNode()) {
      const node = nodes.currentNode
      const text = node.parentElement.closest('pre, code, kbd, samp, svg') ? node.data : change(node)
      if (text !== node.data) changes.push([node, text])
    }
    for (const [node, text] of changes) node.data = text
  }
  changeTexts(node => node.data.replace(WORD, (word, at) => isDivided(node, word, at) ? word.replace(SYLLABLE, '\\u00ad') : word))
  // Only the hyphens that are seen remain, so that words can be searched.
  changeTexts(node => node.data.replace(/(?<=(.))\\u00ad(.)/g, (all, before, next, at) => isDivided(node, before + all, at - 1) ? all : next))
  runs.forEach(fitRun)
  const isCut = element => {
    const { left, right, width } = box(element)
    return width > 0 && (right > innerWidth - MARGIN + 2 || left < MARGIN - 2)
  }
  const headings = all('.book-chapter :is(h1, h2, h3, h4)')
  // The last heading before an element; 4 is Node.DOCUMENT_POSITION_FOLLOWING.
  const headingAbove = element => headings.findLast(each => each.compareDocumentPosition(element) & 4)?.textContent
  const cutParts = all('.book-chapter :not(pre *, .cover, .cover *)').filter(isCut).concat(brokenTables)
  return [...new Set(cutParts.map(element => (headingAbove(element) ?? '').replace(/#$/, '').trim()))]
})`
