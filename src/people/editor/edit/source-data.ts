import { type Html, html } from '#site/html.ts'
import { isShowable, shownAddress } from '#site/thumbnails/thumbnail.ts'
import type { Words } from '#site/words/words.ts'
import { linksIn, mapOf } from './preview.ts'
import type { Target } from './target.ts'
import type { GuideVisit } from './visit.ts'

/** The attributes of the text area that the script reads: the nonce of styles, its words, and the addresses of its pictures. */
export async function sourceData(
  { guide, files: { paths } }: GuideVisit,
  { path }: Target,
  text: string,
  nonce: string,
): Promise<Html> {
  const { publication, site } = guide
  const known = await publication.content.files()
  const pictures: Record<string, string> = {}
  for (const { start, end, to } of linksIn(text, path, await mapOf(paths, publication))) {
    const file = to.file === undefined ? undefined : known.get(to.file)
    if (file?.contentType.startsWith('image/') && isShowable(file))
      pictures[text.slice(start, end)] = shownAddress(publication.record, file, site.paths)
  }
  return html` data-nonce="${nonce}" data-words="${JSON.stringify(labels(guide.words))}" data-pictures="${JSON.stringify(pictures)}"`
}

function labels({ edit, forms }: Words): Readonly<Record<string, string>> {
  const { note, tip, important, warning, caution } = forms
  const words = { ...edit.script, note, tip, important, warning, caution, preview: edit.preview }
  return Object.fromEntries(Object.entries(words).map(([key, word]) => [key, `${word}`]))
}
