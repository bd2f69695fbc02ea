import { isPicture } from '#brand/file.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import type { Publication } from '#serving/publications/publications.ts'
import type { Site } from '#site/site.ts'
import { themeOf } from '#site/theme/guide-theme.ts'
import type { Palette } from '#site/theme/palette.ts'
import { hasThumbnail } from '#site/thumbnails/thumbnail.ts'

/**
 * The parts of a guide that only a service has: its address, its logo, the style sheet of its look, and the pictures that
 * its pages may show, with the addresses of small ones.
 */
export type ServedParts = {
  look: { address: string; logo?: string; sheet: string }
  pictures: readonly { path: string; description: string; address: string }[]
}

export async function servedParts({ urls, paths }: Site, publication: Publication): Promise<ServedParts> {
  const theme = await themeOf(publication)
  const { record, content } = publication
  const [logo, logoDark] = [theme.logo, theme.logoDark].map(each => each && paths.file(record, each.file))
  const pictures = Array.from((await content.files()).values()).filter(isPicture)
  return {
    look: withoutUndefined({ address: urls.project(record), logo, sheet: guideSheet({ ...theme, logoDark }) }),
    pictures: pictures.slice(0, MAX_PICTURES).map(file => {
      const address = hasThumbnail(file) ? paths.thumbnail(record, file, 320) : paths.file(record, file)
      return { path: file.path, description: file.metadata?.description ?? '', address }
    }),
  }
}

const MAX_PICTURES = 1000

type Look = { light: Palette; dark: Palette; logoDark: string | undefined }

/** The style sheet that gives the library the colours of the guide. Its own rules come later, so these weigh more. */
function guideSheet({ light, dark, logoDark }: Look): string {
  const colors = (scheme: string, { ground, text, link, accent, onAccent }: Palette) =>
    `html:root[data-theme="${scheme}"] {
  --guide-ground: ${ground};
  --guide-text: ${text};
  --sui-primary-accent-color: ${accent};
  --sui-primary-accent-color-light: ${accent};
  --sui-primary-accent-color-dark: ${accent};
  --sui-primary-accent-color-inverted: ${onAccent};
  --sui-primary-accent-color-text: ${link};
  --sui-primary-accent-color-translucent: color-mix(in srgb, ${accent} 60%, transparent);
  --sui-primary-accent-color-translucent-light: color-mix(in srgb, ${accent} 40%, transparent);
}
`
  const logo =
    logoDark === undefined ? '' : `[data-theme="dark"] img.logo {\n  content: url(${JSON.stringify(logoDark)});\n}\n`
  return colors('light', light) + colors('dark', dark) + logo
}
