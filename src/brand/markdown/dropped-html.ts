/** HTML elements that the website removes with their content, which is not meant for readers. */
export const DROPPED_ELEMENTS: readonly string[] = `
  script style template noscript title svg math
  iframe frame frameset noframes object applet embed noembed textarea select
`
  .trim()
  .split(/\s+/)
