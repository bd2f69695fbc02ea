import type { StyleId } from '../../brand/ids.ts'

/** What leads to a colour or type style on the page that shows it: the name alone could be that of another thing there. */
export function styleAnchor(kind: 'color' | 'type', id: StyleId): string {
  return `${kind}-${id}`
}
