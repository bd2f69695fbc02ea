/** HTML elements that the website removes with their content, which is not meant for readers. */
export const DROPPED_ELEMENTS: readonly string[] = words(`
  script style template noscript title svg math
  iframe frame frameset noframes object applet embed noembed textarea select
`)

/** The HTML elements of authors that reach readers. */
export const SAFE_ELEMENTS: readonly string[] = words(`
  h1 h2 h3 h4 h5 h6 p blockquote pre hr br wbr div span section
  ul ol li dl dt dd details summary figure figcaption input
  table caption colgroup col thead tbody tfoot tr th td
  a abbr b bdi bdo cite code del dfn em i ins kbd mark q s samp small strong sub sup time u var ruby rt rp
  img picture video audio source track
`)

/** Other HTML elements, also obsolete ones: the website keeps only their content. */
export const PLAIN_ELEMENTS: readonly string[] = words(`
  html head body base link meta address article aside footer header hgroup main nav search map area canvas dialog menu
  form fieldset legend label button datalist meter progress output option optgroup slot data acronym big blink center
  dir font basefont bgsound listing marquee menuitem nobr param plaintext rb rtc strike tt xmp image
`)

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}
