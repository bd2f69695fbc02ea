export type BookFormat = { isLandscape: boolean }

/** The size of the text on a sheet of A4, in mm. */
export function textSize({ isLandscape }: BookFormat): { width: number; height: number } {
  const [width, height] = isLandscape ? [297, 210] : [210, 297]
  return { width: width - 2 * 18, height: height - 18 - 20 }
}

/** The style sheet of a book, after those of the guide: full pages for covers, and parts that stay together. */
export function bookStyle({ isLandscape }: BookFormat): string {
  const { width, height } = textSize({ isLandscape })
  return `
@page{size:A4${isLandscape ? ' landscape' : ''};margin:18mm 18mm 20mm;background:var(--ground);@bottom-center{content:counter(page);font:8pt sans-serif;color:var(--quiet)}}
@page full{margin:0;@bottom-center{content:none}}
:root{--text-height:${height}mm;--text-width:${width}mm}
:root[data-theme=dark]{color-scheme:dark}
html,body{background:none;print-color-adjust:exact;-webkit-print-color-adjust:exact}
main{display:block;padding:0;margin:0;max-width:none}
${OPENERS}
.book-contents,.book-run{break-before:page}
.measured{columns:1;column-gap:0;column-fill:auto;height:calc(var(--text-height) - 4mm)}
.book-contents{display:flex;flex-direction:column;justify-content:space-between;min-height:calc(var(--text-height) - 1mm)}
.book-chapter{padding-top:.5mm}
.book-chapter+.book-chapter{margin-top:16mm}
.book-contents h1{font-size:28pt}
.book-contents ol{font-size:11.5pt;list-style:none;padding:0;margin:8mm 0 0;${isLandscape ? 'columns:2;column-gap:18mm' : ''}}
.book-contents li{display:flex;gap:4mm;padding-block:1.4mm;border-bottom:1px solid var(--line);break-inside:avoid}
:is(.book-contents,.book-links) a{flex:1;min-width:0;color:inherit;text-decoration:none}
:is(.book-contents,.book-links) b{font-weight:400;font-variant-numeric:tabular-nums}
summary,p:has(+:is(.tiles,figure)){break-after:avoid}
.book-chapter :is(h1,h2,h3){padding-top:.2em}
p,li{orphans:3;widows:3}
svg,li,table:not(.contrast,.features),tr,pre,blockquote,.tile-name,.tiles,.proportions,.style,.callout,.prose [class*=ground-],.letters,.specimen dl{break-inside:avoid}
img{max-width:100%}
.book-chapter .tiles>li{min-height:42mm!important}
.book-chapter .prose{max-width:none}
.book-chapter .prose>:is(h1,h2,h3,h4,p,ul,ol,blockquote,pre):not([class]){max-width:43rem}
.book-chapter main img:not(.face *){max-height:calc(.6*var(--text-height))}
.book-links{columns:3;column-gap:8mm;list-style:none;padding:0}
.book-links li{display:flex;flex-wrap:wrap;gap:1mm 2mm;margin:0;padding-block:1.2mm;border-bottom:1px solid var(--line)}
.book-links p{flex:1 0 100%;margin:0;color:var(--quiet)}
[download]::before{content:none!important}
.tiles dl+a,.button{display:none}
summary{list-style:none}
${SCALE}`
}

/** The cover and the first pages of chapters fill their sheets. */
const OPENERS = `.book-title,.book-opener{page:full;position:relative;box-sizing:border-box;height:100vh;overflow:hidden}
.book-title{display:flex;flex-direction:column;padding:22mm 18mm;background:var(--ground);color:var(--text)}
.book-title:not([class*=ground-]){border-bottom:24mm solid var(--accent)}
.book-title h1{font-size:42pt;line-height:1.05;margin:auto 0 12mm}
.book-title p{margin:0 0 1mm;font-size:12pt}
.book-title img{align-self:flex-start;width:auto;height:20mm;max-width:100%;margin:0;object-fit:contain;object-position:left}
.book-opener .cover{display:flex;flex-direction:column;align-items:stretch;height:100%;min-height:0}
.book-opener .plain{--text:var(--on-accent);--ground:var(--accent);background:var(--accent);color:var(--on-accent)}
.book-opener .cover>div,.book-opener .cover.behind>div{flex:none;align-self:stretch;padding:22mm calc(18mm/var(--zoom,1)) 14mm;background:none}
.book-opener .cover h1{font-size:48pt;max-width:none}
.book-opener .cover .lead{max-width:130mm;margin-top:6mm;font-size:17pt;color:inherit}
.book-opener .cover :is(img,video){position:static;flex:1;width:auto;height:auto;min-height:0;max-height:none;margin:0 18mm 26mm;padding:0}
.book-opener .cover .fill{width:100%;margin:0;object-fit:cover}
.holds{display:flex;flex-direction:column}
.holds .cover{flex:1;position:static;height:auto}
.holds .book-run{flex:none;break-before:auto;padding:14mm 18mm 24mm}
.book-number{position:absolute;inset:auto 0 9mm;width:fit-content;margin:auto;padding:.5mm 2mm;background:var(--ground);color:var(--text);font:8pt sans-serif}`

/** The type scale is on one page, with the name and the values of each style on one line, in at least 6 pt. */
const SCALE = `.scale{break-inside:avoid}
.scale :is(th,td:not(.sample),.quiet){font-size:max(8pt,6.5pt/var(--zoom,1));line-height:1.2}
.scale tr>*{padding-top:0}
.scale tr>:is(th,td:not(.sample)){flex:none;width:auto}
.scale th :is(a,.quiet){display:inline}
.scale .sample p{max-width:calc(var(--text-width)/var(--zoom,1));margin:0}
.no-frame{box-sizing:border-box;width:100%;padding:5mm;background:var(--code);color:var(--quiet);font-size:10pt}
.face>.no-frame{font-size:0}`
