export type BookFormat = { isLandscape: boolean }

/** The size of a sheet of A4 without the margin of its page number, in mm. */
export function sheetSize({ isLandscape }: BookFormat): { width: number; height: number } {
  const [width, height] = isLandscape ? [297, 210] : [210, 297]
  return { width, height: height - 20 }
}

/**
 * The style sheet of a book, after those of the guide: covers that reach the edges of their sheets, and parts that stay
 * together. The margins are the padding of each piece of a run, because nothing is painted on those of a sheet.
 */
export function bookStyle({ isLandscape }: BookFormat): string {
  const { width, height } = sheetSize({ isLandscape })
  return `
@page{size:A4${isLandscape ? ' landscape' : ''};margin:0 0 20mm;background:var(--ground);@bottom-center{content:counter(page);font:8pt sans-serif;color:var(--quiet)}}
@page full{margin:0;@bottom-center{content:none}}
:root{--text-height:${height - 18}mm;--text-width:${width - 36}mm}
:root[data-theme=dark]{color-scheme:dark}
html,body{margin:0;background:none;print-color-adjust:exact;-webkit-print-color-adjust:exact}
main{display:block;padding:0;margin:0;max-width:none}
${COVERS}
.book-run,.book-contents{break-before:page;padding:18mm 18mm 0;-webkit-box-decoration-break:clone;box-decoration-break:clone}
.measured{columns:1;column-gap:0;column-fill:auto;height:var(--text-height)}
.book-contents{display:flex;flex-direction:column;justify-content:space-between;min-height:calc(var(--text-height) - 1mm)}
.book-chapter+.book-chapter{margin-top:16mm}
.book-chapter:not(:has(.cover)){padding-top:5mm;border-top:1px solid var(--line)}
.book-chapter h1,.book-contents h1{margin:0 0 6mm;font-size:32pt;line-height:1.08}
.book-chapter .lead{font-size:15pt}
.book-contents ol{font-size:11.5pt;list-style:none;padding:0;margin:8mm 0 0;${isLandscape ? 'columns:2;column-gap:18mm' : ''}}
.book-contents .large{font-size:18pt}
.book-contents li{display:flex;gap:4mm;padding-block:1.4mm;border-top:1px solid var(--line);break-inside:avoid}
:is(.book-contents,.book-links) a{flex:1;min-width:0;color:inherit;text-decoration:none}
:is(.book-contents,.book-links) b{font-weight:400;font-variant-numeric:tabular-nums}
summary,p:has(+:is(.tiles,figure)):not(figure+*),.text:has(+*):not(figure+*)>p:last-child,.passage:has(+.passage>:not(h2,.text):first-child)>.text>p:last-child{break-after:avoid;break-inside:avoid}
.book-chapter :is(h2,h3){padding-top:.2em}
p,li{orphans:3;widows:3}
svg,li,.prose :is(ul,ol):not(:has(>:nth-child(8))),table:not(.contrast,.features),tr,pre,blockquote,.tile-name,.tiles,.proportions,.callout,.prose [class*=ground-],.letters,.specimen dl{break-inside:avoid}
img{max-width:100%}
.book-chapter .tiles>li{min-height:42mm!important}
.book-chapter .prose{max-width:none}
.book-chapter :is(.prose,.passage,.text)>:is(h1,h2,h3,h4,p,ul,ol,blockquote,pre):not([class]){max-width:43rem}
.book-chapter main img:not(.face *,.cover *){max-height:calc(${isLandscape ? 0.6 : 0.42}*var(--text-height))}
.book-chapter .hero:not(.photograph){height:76mm}
.book-chapter .plates ul{padding:0}
.book-links{columns:3;column-gap:8mm;list-style:none;padding:0}
.book-links li{display:flex;flex-wrap:wrap;gap:1mm 2mm;margin:0;padding-block:1.2mm;border-bottom:1px solid var(--line)}
.book-links p{flex:1 0 100%;margin:0;color:var(--quiet)}
summary{list-style:none}
${SCALE}`
}

/** The cover of the book fills its sheet; that of a chapter is as wide as it, and at its top if the chapter begins there. */
const COVERS = `.book-title{page:full;position:relative;box-sizing:border-box;height:100vh;overflow:hidden;display:flex;flex-direction:column;padding:22mm 18mm;background:var(--ground);color:var(--text)}
.book-title.plain{border-bottom:24mm solid var(--accent)}
.book-title h1{font-size:46pt;line-height:1.05;margin:auto 0 6mm}
.book-title .lead{max-width:120mm;margin:0;font-size:17pt;color:inherit}
.book-title footer{margin:14mm 0 0;padding:0;border:0;color:inherit}
.book-title footer p{margin:0 0 1mm;font-size:11pt;color:inherit}
.book-title img{width:auto;height:22mm;max-width:100%;margin:0;object-fit:contain;object-position:0}
[dir=rtl] .book-title img{object-position:100%}
.book-chapter .cover{--edge:0;display:flex;flex-direction:column;align-items:stretch;min-height:0;margin:0 calc(-18mm/var(--zoom,1)) 9mm;break-inside:avoid}
.book-run>:first-child .cover{margin-top:calc(-18mm/var(--zoom,1))}
.book-chapter .cover.cover>div{flex:none;align-self:stretch;max-width:none;padding:18mm calc(18mm/var(--zoom,1)) 12mm;background:none}
.book-chapter .cover h1{margin:0;font-size:44pt;max-width:none}
.book-chapter .cover .lead{max-width:130mm;margin-top:5mm;font-size:17pt;color:inherit}
.book-chapter .cover :is(img,video){position:static;flex:1;width:auto;max-width:none;height:var(--picture,72mm);min-height:0;max-height:none;margin:0 18mm 14mm;padding:0;object-fit:contain;object-position:0}
[dir=rtl] .cover :is(img,video){object-position:100%}
.book-chapter .cover .fill{width:100%;height:calc(1.45*var(--picture,72mm));margin:0;object-fit:cover;object-position:50%}
.book-chapter .cover .plate{margin:0;padding:12mm 18mm}`

/** The list of type styles is on one page, with the name and the values of each style on one line, in at least 6 pt. */
const SCALE = `main>.link-cards:has(>.specimen){margin:0}
main>.link-cards.link-cards>.specimen{display:flex;flex-direction:row;gap:1rem;align-items:baseline;padding-block:.375rem}
main>.link-cards.link-cards>.specimen>div{order:1;flex:0 0 58%;margin:0;margin-inline-start:auto}
main>.link-cards>.specimen p{margin:0;font-size:max(8pt,6.5pt/var(--zoom,1));line-height:1.2}
main>.link-cards>.specimen p:first-of-type{flex:none}
.no-frame{box-sizing:border-box;width:100%;padding:5mm;background:var(--code);color:var(--quiet);font-size:10pt}
.face>.no-frame{font-size:0}`
