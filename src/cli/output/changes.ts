import type { ContentChanges } from '../../brand/content-changes.ts'
import { paint, visible } from './text.ts'

/** A label for each change of a project: `+ page logo`, `~ style ink`, `- file files/old.svg`. */
export function changeLabels({ pages, styles, files }: ContentChanges, hasColor: boolean): string[] {
  return Object.entries({ page: pages, style: styles, file: files }).flatMap(([noun, { added, changed, removed }]) => [
    ...added.map(id => paint(hasColor, 'green', `+ ${noun} ${visible(id)}`)),
    ...changed.map(id => paint(hasColor, 'yellow', `~ ${noun} ${visible(id)}`)),
    ...removed.map(id => paint(hasColor, 'red', `- ${noun} ${visible(id)}`)),
  ])
}
