/** HTML elements that the website drops with everything in them: their text is not meant for readers. */
export const DROPPED_ELEMENTS: readonly string[] = `
  script style template noscript title svg math
  iframe frame frameset noframes object applet embed noembed textarea select
`
  .trim()
  .split(/\s+/)
