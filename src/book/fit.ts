/**
 * A script for the page before it is printed, in a window as large as the text of a sheet, when all fonts have loaded.
 * A film without a poster shows its first frame, or a background with its name and length. No sheet is nearly empty:
 * the short text of a chapter is on its opening sheet; if the last sheet is short, the text becomes slightly smaller to
 * save it, otherwise it takes what precedes it. Short pages and the beginnings of others stay together. Columns as large
 * as a sheet show about how many sheets the text needs. Samples of type, those set together, and the words of a cover
 * become smaller to fit on one sheet, but not captions of samples; no word of a cover's title is broken. Returns the
 * names of the parts that are cut off at the edge of a sheet, and of tables whose words do not fit next to each other.
 */
export const FIT = `document.fonts.ready.then(async () => {
  const sheet = innerHeight
  const all = selector => Array.from(document.querySelectorAll(selector))
  const box = element => element.getBoundingClientRect()
  const keep = (parent, from, to) => {
    for (const child of parent.children) {
      const { top, bottom, height } = box(child)
      if (bottom <= from || top >= to) continue
      if (top > from && parent.firstElementChild !== child) child.style.breakBefore = 'avoid'
      if (height < 0.15 * sheet) child.style.breakInside = 'avoid'
      else keep(child, from, to)
    }
  }
  const measure = run => {
    run.classList.add('measured')
    const [{ top }, last] = [box(run), document.createElement('div')]
    run.append(last)
    const { top: end, left } = box(last)
    last.remove()
    const count = Math.round(Math.abs(left - box(run).left) / run.clientWidth) + 1
    run.classList.remove('measured')
    return { count, fill: (end - top) / sheet }
  }
  const breaksIn = parent => Array.from(parent.children).flatMap(child => {
    const { display, breakInside } = getComputedStyle(child)
    const before = child.previousElementSibling
    const own = before && getComputedStyle(before).breakAfter !== 'avoid' ? [child] : []
    return display === 'block' && breakInside !== 'avoid' ? own.concat(breaksIn(child)) : own
  })
  const fillLast = run => {
    const { bottom } = box(run)
    const isEnough = each => bottom - box(each).top > 0.2 * sheet && bottom - box(each).top < 0.7 * sheet
    const start = breaksIn(run).findLast(isEnough)
    if (start) start.style.breakBefore = 'page'
  }
  const fit = run => {
    for (const chapter of Array.from(run.children).slice(1)) {
      const { top, height } = box(chapter)
      if (height < 0.45 * sheet) chapter.style.breakInside = 'avoid'
      else keep(chapter, top, top + 0.25 * sheet)
    }
    const { count, fill } = measure(run)
    if (count === 1 || fill >= 0.3) return
    for (const zoom of [0.98, 0.96, 0.94, 0.92, 1]) {
      for (const chapter of run.children) chapter.style.zoom = zoom
      if (measure(run).count < count) return
    }
    fillLast(run)
  }
  const stillOf = film => new Promise(resolve => {
    film.onloadeddata = film.onerror = resolve
    if (film.readyState > 1 || film.error) resolve()
    setTimeout(resolve, 5000)
  }).then(() => {
    if (film.readyState > 1) return
    const seconds = Math.round(film.duration) || 0
    const length = seconds > 0 ? Math.floor(seconds / 60) + ':' + String(seconds % 60).padStart(2, '0') : ''
    const ground = document.createElement('div')
    ground.className = film.className + ' no-frame'
    ground.style.aspectRatio = film.width && film.height ? film.width / film.height : 16 / 9
    ground.append(film.title, document.createElement('br'), length)
    film.replaceWith(ground)
  })
  await Promise.all(all('video').map(stillOf))
  const MARGINS = 136 // Those of a sheet, which covers have not.
  const ZOOMS = Array.from({ length: 18 }, (_, at) => 1 - at * 0.05)
  for (const scale of all('.scale, .together')) {
    const names = scale.matches('.scale') ? (scale.closest('main').querySelector('.names')?.offsetHeight ?? 0) : 0
    const room = sheet - 120 - (names && names + 60)
    const fits = zoom => {
      scale.style.zoom = zoom
      scale.style.setProperty('--zoom', zoom)
      return box(scale).height <= room
    }
    if (ZOOMS.some(fits)) continue
    fits(0.6)
    scale.style.breakInside = 'auto'
  }
  for (const element of all('.book-chapter :not(img, svg, figure, .scale)')) {
    const max = (element.closest('.together, .matrix') ? 0.85 : 0.6) * sheet
    if (getComputedStyle(element).breakInside === 'avoid' && element.offsetHeight > max)
      element.style.breakInside = 'auto'
  }
  for (const opener of all('.book-contents, .book-opener')) {
    const run = document.createElement('div')
    run.className = 'book-run'
    while (opener.nextElementSibling?.matches('.book-chapter')) run.append(opener.nextElementSibling)
    opener.after(run)
    const [text, picture] = ['.cover > div', '.cover > :is(img, video)'].map(each => opener.querySelector(each))
    const isHeld = text && run.offsetHeight < 0.45 * sheet
    const room = (picture ? 0.7 : 1) * sheet - (isHeld ? run.offsetHeight : 0)
    const fitsAt = zoom => {
      text.style = 'zoom: ' + zoom + '; --zoom: ' + zoom
      return box(text).height <= room
    }
    const title = text?.querySelector('h1')
    const holdsWords = zoom => {
      title.style = 'overflow-wrap: normal; zoom: ' + zoom
      return title.scrollWidth <= title.clientWidth + MARGINS / zoom
    }
    if (title) ZOOMS.slice(0, 12).some(holdsWords)
    if (title) title.style.overflowWrap = ''
    if (text) ZOOMS.some(fitsAt)
    if (run.firstChild === null) run.remove()
    else if (isHeld) {
      opener.classList.add('holds')
      opener.append(run)
    } else fit(run)
  }
  const isCut = element => box(element).right > innerWidth + 2 || box(element).left < -2
  const breaksWords = table => {
    table.style.setProperty('--wrap', 'normal')
    const isWide = table.scrollWidth > table.clientWidth + 2
    table.style.removeProperty('--wrap')
    return isWide
  }
  const headings = all('.book-chapter :is(h1, h2, h3, h4), .book-opener h1')
  const nameOf = element => headings.findLast(each => each.compareDocumentPosition(element) & 4)?.textContent
  const over = all('.book-chapter :not(pre *)').filter(isCut).concat(all('.print-over').filter(breaksWords))
  return [...new Set(over.map(element => (nameOf(element) ?? '').replace(/#$/, '').trim()))]
})`
