import { cssCall } from '#formats/css/values.ts'

/** Whether a path, a selector or a name says that its values are for dark or for high contrast: `[data-theme=dark]`. */
export function isOtherScheme(text: string): boolean {
  const withoutNegations = text.replace(/:not\((?<!:not\([^)]*?:not\()[^)]*\)/g, '')
  // surfaceDark
  return OTHER.test(withoutNegations.replace(/(?<=[a-z])(?=[A-Z])/g, '-'))
}

const OTHER = /(?:^|[^a-z])(?:dark|night|contrast|hc)(?![a-z])/i

/** The light and the dark value of `light-dark()`, or the only value. */
export function schemesOf(css: string): string[] {
  const { name, args } = cssCall(css)
  return name === 'light-dark' && args.length === 2 ? args : [css]
}
