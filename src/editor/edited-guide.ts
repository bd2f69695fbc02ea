import { withoutUndefined } from '../base/object.ts'
import { isPicture } from '../brand/file.ts'
import type { Publication } from '../serving/publications/publications.ts'
import type { Site } from '../site/site.ts'
import { themeOf } from '../site/theme/guide-theme.ts'
import type { Palette } from '../site/theme/palette.ts'
import { hasThumbnail } from '../site/thumbnails/thumbnail.ts'

/** The guide that an editor belongs to: its address, the addresses of its logos, and its colours in both schemes. */
export type EditedGuide = { address: string; logo?: string; logoDark?: string; light: Palette; dark: Palette }

export async function editedGuide({ urls, paths }: Site, publication: Publication): Promise<EditedGuide> {
  const { logo, logoDark, light, dark } = await themeOf(publication)
  const { record } = publication
  return withoutUndefined({
    address: urls.project(record),
    logo: logo && paths.file(record, logo.file),
    logoDark: logoDark && paths.file(record, logoDark.file),
    light,
    dark,
  })
}

/** The pictures that a page may show, with the addresses of small ones. */
export async function editedPictures({ paths }: Site, { record, content }: Publication) {
  const pictures = Array.from((await content.files()).values()).filter(isPicture)
  return pictures.slice(0, MAX_PICTURES).map(file => {
    const address = hasThumbnail(file) ? paths.thumbnail(record, file, 320) : paths.file(record, file)
    return { path: file.path, description: file.metadata?.description ?? '', address }
  })
}

const MAX_PICTURES = 1000

/** The style sheet that gives the library the colours of the guide. Its own rules come later, so these weigh more. */
export function guideSheet({ light, dark, logoDark }: EditedGuide): string {
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
