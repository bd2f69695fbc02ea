import type { FlatXml, XmlItem } from '../xml/flat-xml.ts'

/**
 * The colours in a file of resources of Android, as CSS or as a reference to another one, `{name}`, and the other
 * resources. Undefined for other XML, also without a colour.
 */
export function readAndroidColors({
  root,
  items,
}: FlatXml): { colors: [string, string][]; others: XmlItem[] } | undefined {
  const { colors = [], others = [] } = Object.groupBy(items, item => (isColor(item) ? 'colors' : 'others'))
  if (root !== 'resources' || colors.length === 0) return undefined
  return { colors: colors.map(({ attributes, text }) => [attributes.name ?? '', cssOf(text.trim())]), others }
}

function isColor({ name, attributes }: XmlItem): boolean {
  return [name, attributes.type].includes('color')
}

/** `#AARRGGBB` has its alpha first; `@android:color/white` is a colour of CSS. */
function cssOf(value: string): string {
  const [kind, name] = value.split('/')
  if (kind === '@color') return `{${name}}`
  return kind === '@android:color' ? `${name}` : value.replace(/^#(..?)((?:...){1,2})$/, '#$2$1')
}
