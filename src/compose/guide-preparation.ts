import { serial } from '../base/promise.ts'
import { HOME_PAGE } from '../brand/page.ts'
import { libraryOf } from '../serving/publications/library.ts'
import type { Publication } from '../serving/publications/publications.ts'
import { listLatest } from '../store/catalogue/catalogue.ts'
import type { Database } from '../store/database/database.ts'
import type { Website } from './website.ts'

/** Makes the fonts, libraries, indexes and pictures of guides that would be made for their first readers otherwise. */
export function guidePreparation(database: Database, { site, indexes }: Website) {
  const inTurn = serial()
  let hasBegun = false
  const prepare = async () => {
    try {
      const { prepareFonts } = await import('../site/library/type/faces/frame-fonts.ts')
      const latest = await listLatest(database, MAX_PREPARED)
      const publications = latest.flatMap(record => site.openPublication(record) ?? [])
      await prepareFonts(site, publications)
      for (const { content } of publications) await libraryOf(content)
      for (const publication of publications) await Promise.resolve(indexes(publication)).catch(() => undefined)
      for (const publication of publications) await prepareThumbnails(site, publication)
    } catch {} // Requests make the same, and report what fails.
  }
  return {
    begin: () => {
      hasBegun = true
      void inTurn(prepare)
    },
    handlePublished: () => {
      if (hasBegun) void inTurn(prepare)
    },
  }
}

/** Makes wide thumbnails of the cover and the pictures of the home page. */
async function prepareThumbnails({ thumbnails }: Website['site'], publication: Publication): Promise<void> {
  const { content } = publication
  const home = (await content.pages()).get(HOME_PAGE)
  const files = await content.files()
  const paths = [home?.cover?.file, ...(home?.links ?? []).map(({ to }) => to.file)]
  for (const path of new Set(paths)) {
    const file = path === undefined ? undefined : files.get(path)
    for (const width of PREPARED_WIDTHS) if (file) await thumbnails(publication, file, width, { headers: {} })
  }
}

/** For a phone with twice the density, and for a large screen. */
const PREPARED_WIDTHS = [960, 1920] as const

/** Older guides make their fonts when these are requested. */
const MAX_PREPARED = 16
