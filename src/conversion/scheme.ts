/** Whether a path, a selector or a name says that its values are for dark or for high contrast: `[data-theme=dark]`. */
export function isOtherScheme(text: string): boolean {
  return OTHER.test(text.replace(/:not\([^)]*\)/g, '').replace(/(?<=[a-z])(?=[A-Z])/g, '-'))
}

const OTHER = /(?:^|[^a-z])(?:dark|night|contrast|hc)(?![a-z])/i
