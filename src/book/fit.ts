/**
 * A script for the page before it is printed, in a window as large as the text of a sheet, when all fonts have loaded.
 * It leaves no sheet nearly empty: the short text of a chapter is on its opening sheet; if the last sheet is short, the
 * text becomes slightly smaller to save it. The last third of a sheet stays together, as do short pages and the
 * beginnings of others. Columns as large as a sheet show about how many sheets the text needs. Samples of type become
 * smaller to fit on one sheet.
 */
export const FIT = `document.fonts.ready.then(() => {
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
  const fit = run => {
    for (const chapter of Array.from(run.children).slice(1)) {
      const { top, height } = box(chapter)
      if (height < 0.45 * sheet) chapter.style.breakInside = 'avoid'
      else keep(chapter, top, top + 0.25 * sheet)
    }
    const { count, fill } = measure(run)
    if (count > 1 && fill < 0.3)
      for (const zoom of [0.98, 0.96, 0.94, 0.92, 1]) {
        for (const chapter of run.children) chapter.style.zoom = zoom
        if (measure(run).count < count) break
      }
    const { bottom } = box(run)
    keep(run, bottom - 0.3 * sheet, bottom)
  }
  for (const scale of all('.scale')) {
    const names = scale.closest('main').querySelector('.names')?.offsetHeight ?? 0
    scale.style.zoom = Math.min(1, (sheet - 120 - (names && names + 60)) / scale.offsetHeight)
  }
  for (const element of all('.book-chapter :not(img, svg, figure, .scale)'))
    if (getComputedStyle(element).breakInside === 'avoid' && element.offsetHeight > 0.6 * sheet)
      element.style.breakInside = 'auto'
  for (const opener of all('.book-contents, .book-opener')) {
    const run = document.createElement('div')
    run.className = 'book-run'
    while (opener.nextElementSibling?.matches('.book-chapter')) run.append(opener.nextElementSibling)
    opener.after(run)
    if (run.firstChild === null) run.remove()
    else if (opener.matches('.book-opener') && run.offsetHeight < 0.45 * sheet) {
      opener.classList.add('holds')
      opener.append(run)
    } else fit(run)
  }
})`
